// Measures how many altered answers are flagged or put right, and how many good ones, by kind of alteration.
//   node --import ./scripts/run-ts.mjs bench/altered-answers.ts [--count N] [--seed N] [--show N]
// Good answers of many shapes are generated from real passages; then one quotation, number, date, name or citation of each is altered,
// anywhere in its sentence. No model is involved.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { flagRates, type FlagRate, type Judge, type Language } from '../plugins/claims/test/answer-shapes.ts';
import { judged } from '../plugins/claims/test/judged.ts';
import { sharedData } from './lib/shared-data.ts';

const SETS: readonly (readonly [name: string, language: Language])[] = [
  ['squad2', 'en'],
  ['ko-autorag', 'ko'],
  ['cranfield', 'en'],
];
const MIN_WORDS = 30;

const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, show: { type: 'string' } },
});
const count = Number(values.count ?? 400);
const seed = Number(values.seed ?? 1);
const shown = Number(values.show ?? 0);

const judge: Judge = (text, passages) => {
  const result = judged(text, passages);
  if (result.sentences.length === 0 || result.reason !== null || result.deniesOnly) return 'failed';
  if (result.attributed.length > 0 || markers(result.text) !== markers(text)) return 'failed'; // a marker was wrong or missing: the right one is set
  return result.findings.length > 0 ? 'warned' : 'passed';
};

function markers(text: string): string {
  return [...text.matchAll(/\d+(?=[\]),;])/g)].map(([number]) => number).join(' ');
}

for (const [name, language] of SETS) {
  const folder = sharedData(name);
  if (folder === null) continue;
  const texts = readFileSync(path.join(folder, 'corpus.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly text: string }).text)
    .filter((text) => text.split(/\s+/).length > MIN_WORDS);
  console.log(`\n${name}: ${count} good answers\n${row('altered', 'flagged', 'of', 'left out')}`);
  for (const rate of flagRates(texts, language, { count, seed, judge })) print(rate);
}

function print({ kind, name, count: of, flagged, alsoThere, wrong }: FlagRate): void {
  const share = of === 0 ? '-' : `${((100 * flagged) / of).toFixed(1)} %`;
  console.log(row(`${kind}: ${name}`, share, String(of), alsoThere === 0 ? '' : String(alsoThere)));
  for (const text of wrong.slice(0, shown)) console.log(`    ${JSON.stringify(text)}`);
}

function row(label: string, ...cells: readonly string[]): string {
  return `  ${label.padEnd(44)}${cells.map((cell) => cell.padStart(10)).join('')}`;
}
