// Asks queries with a known first passage, and prints the share that came out right, by kind.
//   npm run eval:finding -- --corpus FOLDER --cases FILE --base NAME [--mode lexical|hybrid] [--model FOLDER] [--data FOLDER] [--wrong]
// --data keeps the index between runs; --wrong lists the cases that came out wrong.
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { builtins } from '@kebab/builtins';
import { bundledPlugin, type ChunkId, type Mode } from '@kebab/core/app';
import docx from '@kebab/plugin-docx/package.json' with { type: 'json' };
import xlsx from '@kebab/plugin-xlsx/package.json' with { type: 'json' };
import { findingRates, judgeFinding, readFindingCases } from './lib/finding-cases.ts';
import { openBenchApp } from './lib/open-bench-app.ts';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    cases: { type: 'string' },
    base: { type: 'string' },
    mode: { type: 'string' },
    model: { type: 'string' },
    data: { type: 'string' },
    wrong: { type: 'boolean' },
  },
});
const { corpus, cases, base } = values;
if (corpus === undefined || cases === undefined || base === undefined)
  throw new Error('--corpus, --cases and --base are required');
const mode = (values.mode ?? 'lexical') as Mode;
const data = path.resolve(values.data ?? mkdtempSync(path.join(tmpdir(), 'kebab-finding-')));
const isKept = existsSync(data) && values.data !== undefined;
mkdirSync(data, { recursive: true });
const embedding =
  values.model === undefined
    ? { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }
    : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: path.resolve(values.model) };
const app = await openBenchApp(path.resolve(corpus), data, embedding, [
  ...builtins,
  bundledPlugin(docx, () => import('@kebab/plugin-docx')),
  bundledPlugin(xlsx, () => import('@kebab/plugin-xlsx')),
]);
if (!isKept) await app.ingest({ summaryOnly: true });
const times: number[] = [];
const outcomes = [];
for (const one of readFindingCases(cases)) {
  if (one.base !== base || (one.modes !== 'all' && one.modes !== mode)) continue;
  const started = performance.now();
  const response = await app.search({ text: one.query, mode, k: 10 }, { refresh: false });
  times.push(performance.now() - started);
  const hits = await Promise.all(
    response.hits.slice(0, 3).map(async (hit) => {
      const fetched = await app.fetch({ kind: 'chunk', chunkId: hit.chunk_id as ChunkId });
      return { hit, text: fetched.kind === 'chunk' ? fetched.chunk.text : '' };
    }),
  );
  const outcome = judgeFinding(one, response, hits);
  outcomes.push({ ...outcome, kind: one.kind });
  if (values.wrong === true && !outcome.isRight)
    console.log(`${one.id} ${JSON.stringify(one.query)}: ${outcome.shown}, not ${one.expect.join(' | ')}`);
}
await app.close();
console.log(`kind       ${mode.padEnd(8)} cases  first  in three`);
for (const [kind, { first, near, count }] of findingRates(outcomes))
  console.log(`${kind.padEnd(20)} ${String(count).padStart(4)}  ${first.toFixed(3)}  ${near.toFixed(3)}`);
console.log(`p50 ${times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]?.toFixed(1)} ms`);
