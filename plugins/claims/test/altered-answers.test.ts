import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type FlagRate, flagRates, type Judge } from './answer-shapes.ts';
import { judged } from './judged.ts';

const data = new URL('../../../../shared/data/', import.meta.url);
const files = { en: 'squad2/corpus.jsonl', ko: 'ko-autorag/corpus.jsonl' } as const;
/** Some 230 judgements; `KEBAB_ALTERED_ANSWERS=33` makes as many as docs/ask.md counts, `bench/altered-answers.ts` as many as asked for. */
const ANSWERS = Number(process.env['KEBAB_ALTERED_ANSWERS'] ?? 8);
const KINDS = ['quotation', 'number', 'citation'] as const;

const judge: Judge = (text, passages) => {
  const result = judged(text, passages);
  if (result.sentences.length === 0 || result.reason !== null || result.deniesOnly) return 'failed';
  // A detail of another passage makes a true sentence of that passage: it is noticed, and its marker replaced.
  if (markersOf(result.text) !== markersOf(text)) return 'failed';
  return result.findings.length > 0 ? 'warned' : 'passed';
};

/** The numbers that a text cites, in any form, in order. */
function markersOf(text: string): string {
  return [...text.matchAll(/[[【(][#^]?(\d{1,3})[\]】)]/g)].map(([, number]) => number).join(' ');
}

function shareOf(rates: readonly FlagRate[]): number {
  const [count, flagged] = [(rate: FlagRate) => rate.count, (rate: FlagRate) => rate.flagged];
  const sum = (of: (rate: FlagRate) => number): number => rates.reduce((total, rate) => total + of(rate), 0);
  return sum(flagged) / sum(count);
}

describe.each(['en', 'ko'] as const)('answers of many shapes, made of passages in %s', (language) => {
  const corpus = new URL(files[language], data);

  it.skipIf(!existsSync(corpus))(
    'are not flagged while they are good, and flagged when one part is altered anywhere (skipped without the data)',
    () => {
      const texts = readFileSync(corpus, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { readonly text: string }).text)
        .filter((text) => text.split(/\s+/).length > 30);
      const rates = flagRates(texts, language, { count: ANSWERS, seed: 4, judge, kinds: KINDS });
      const named = (kind: string, name: string): FlagRate[] =>
        rates.filter((rate) => rate.kind === kind && rate.name === name);
      expect(named('good', 'failed')[0]?.flagged).toBeLessThanOrEqual(1);
      for (const kind of ['quotation', 'number'])
        expect(shareOf(rates.filter((rate) => rate.kind === kind))).toBeGreaterThanOrEqual(0.98);
      expect(shareOf(named('citation', 'of a passage that is not there'))).toBeGreaterThanOrEqual(0.98);
      expect(shareOf(named('citation', 'of another passage, behind a detail'))).toBeGreaterThanOrEqual(0.8);
    },
  );
});
