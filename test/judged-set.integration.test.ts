import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRefusingApp } from '../bench/lib/open-bench-app.ts';
import { rankingMetrics } from '../bench/lib/ranking-metrics.ts';

/** A question about the notes of `bench/everyday`: the note that answers it, or null if none does. */
interface Question {
  readonly corpus: string;
  readonly lang: string;
  readonly question: string;
  readonly note: string | null;
}

const EVERYDAY = fileURLToPath(new URL('../bench/everyday', import.meta.url));
/** The default of `rag.score_gate`. */
const GATE = 0.3;
/** The least mean nDCG@10 by language; languages with four questions are only in the mean of all. */
const FLOORS = { en: 0.94, de: 0.8, fr: 0.96, es: 0.96, ja: 0.95, zh: 0.96, ko: 0.9 };
const FLOOR = 0.945;

let work: string;
let app: App;
let questions: readonly Question[];

beforeAll(async () => {
  work = await mkdtemp(path.join(tmpdir(), 'kebab-judged-'));
  const lines = (await readFile(path.join(EVERYDAY, 'questions.jsonl'), 'utf8')).trim().split('\n');
  questions = lines.map((line) => JSON.parse(line) as Question);
  app = await openRefusingApp(EVERYDAY, path.join(work, 'data'), null);
  await app.ingest({ summaryOnly: true });
});

afterAll(async () => {
  await app.close();
  await rm(work, { recursive: true, force: true });
});

/** nDCG@10 of a search by words; a question has one right note, so it is 1 for the first rank and 0.63 for the second. */
async function ndcgOf({ corpus, question, note }: Question): Promise<number> {
  const { hits } = await app.search({ text: question, k: 10, mode: 'lexical' });
  const ranked = hits.map(({ doc_path }) => doc_path);
  return rankingMetrics(ranked, new Map([[`${corpus}/${note}.md`, 1]])).ndcg10;
}

/** The share of questions that `ask` refuses before it calls a model. */
async function shareRefused(asked: readonly Question[]): Promise<number> {
  let refused = 0;
  for (const { question } of asked) {
    const { retrieval } = await app.ask({ question, mode: 'lexical' });
    if (retrieval.top_score < GATE) refused++;
  }
  return refused / asked.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * The floors are what was reached when they were set, less about two questions: 0.957 for all, 93 in 100 answerable questions passing, and
 * 97 in 100 others refused. A change that falls below one ranks or refuses worse, and needs a reason; one that reaches more raises it.
 */
describe('286 everyday questions about 51 notes in ten languages, by words alone', () => {
  it('find the right note high, in every language', async () => {
    const scores = new Map<string, number[]>();
    for (const question of questions.filter(({ note }) => note !== null))
      scores.set(question.lang, [...(scores.get(question.lang) ?? []), await ndcgOf(question)]);
    const below = Object.entries(FLOORS).flatMap(([lang, floor]) => {
      const reached = mean(scores.get(lang) ?? []);
      return reached >= floor ? [] : [`${lang}: ${reached} is below ${floor}`];
    });
    expect(below).toEqual([]);
    expect(mean([...scores.values()].flat())).toBeGreaterThanOrEqual(FLOOR);
  });

  it('are refused unread if no note answers them, and seldom otherwise', async () => {
    expect(await shareRefused(questions.filter(({ note }) => note === null))).toBeGreaterThanOrEqual(0.94);
    expect(await shareRefused(questions.filter(({ note }) => note !== null))).toBeLessThanOrEqual(0.08);
  });
});
