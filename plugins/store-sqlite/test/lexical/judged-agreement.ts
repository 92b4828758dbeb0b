import { existsSync, readFileSync } from 'node:fs';
import type { LexicalIndex } from '@kebab/core/store';
import { searchable, type SearchableDocument } from '@kebab/testing';

const DATA = new URL('../../../../../shared/data/', import.meta.url);
const SETS = ['cranfield', 'cacm', 'ko-autorag', 'cosqa-dev', 'squad2'] as const;

/** One of the judged sets. */
export type JudgedSet = (typeof SETS)[number];

/** The judged sets on this machine; none without the shared data. */
export const judgedSets: readonly JudgedSet[] = SETS.filter((set) => existsSync(new URL(`${set}/corpus.jsonl`, DATA)));

interface Line {
  readonly _id: string;
  readonly title?: string;
  readonly text: string;
}

function lines(set: JudgedSet, file: string): readonly Line[] {
  const text = readFileSync(new URL(`${set}/${file}`, DATA), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** The documents of a set; functions are source code. */
export function documentsOf(set: JudgedSet): readonly SearchableDocument[] {
  return lines(set, 'corpus.jsonl').map(({ _id, title, text }) =>
    searchable(`${_id}.md`, text === '' ? ' ' : text, title === undefined || title === '' ? {} : { title }),
  );
}

/** How many queries of a set are asked; `KEBAB_TEST_JUDGED_QUERIES` asks more. */
const MAX_QUERIES = Number(process.env['KEBAB_TEST_JUDGED_QUERIES'] ?? 60);

/** Queries of a set, spread over it. */
export function queriesOf(set: JudgedSet): readonly string[] {
  const all = lines(set, 'queries.jsonl').map(({ text }) => text);
  const step = Math.max(1, Math.floor(all.length / MAX_QUERIES));
  return all.filter((_, at) => at % step === 0);
}

/** How far one index gives the hits of another, as shares of the queries. */
export interface Agreement {
  readonly queries: number;
  /** The same first hit. */
  readonly first: number;
  /** The same ten first hits, in any order. */
  readonly topTen: number;
  /** The same ten first hits in the same order. */
  readonly order: number;
  readonly differing: readonly string[];
}

/** Compares the first ten hits of two indexes of the same documents. */
export async function agreementOf(
  index: LexicalIndex,
  reference: LexicalIndex,
  queries: readonly string[],
): Promise<Agreement> {
  const same = { first: 0, topTen: 0, order: 0 };
  const differing: string[] = [];
  for (const query of queries) {
    const [own, expected] = await Promise.all(
      [index, reference].map(async (each) => {
        const hits = await each.search(each.analyseQuery(query), {}, 10);
        return hits.map(({ chunkId }) => chunkId);
      }),
    );
    const isSame = own?.toSorted().join() === expected?.toSorted().join();
    if (own?.[0] === expected?.[0]) same.first++;
    if (isSame) same.topTen++;
    else differing.push(query);
    if (own?.join() === expected?.join()) same.order++;
  }
  const share = (count: number): number => count / queries.length;
  return {
    queries: queries.length,
    first: share(same.first),
    topTen: share(same.topTen),
    order: share(same.order),
    differing,
  };
}
