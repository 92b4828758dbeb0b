import { readJudgedSet, writeAsMarkdown, type JudgedQuery } from './judged-set.ts';
import { sharedData } from './shared-data.ts';

/** A corpus to index and queries whose answers are known. */
export interface RetrievalSet {
  readonly name: string;
  /** nDCG@10 of the reference BM25: plain, and its best variant. */
  readonly reference: { readonly plain: number; readonly best: number };
  readonly write: (folder: string) => Promise<void>;
  readonly queries: readonly JudgedQuery[];
}

/** nDCG@10 of the reference BM25 of each set: plain, and its best variant (stop words and Porter, bigrams, code tokens). */
const JUDGED: Readonly<Record<string, { readonly plain: number; readonly best: number }>> = {
  cranfield: { plain: 0.317, best: 0.342 },
  cacm: { plain: 0.417, best: 0.475 },
  squad2: { plain: 0.821, best: 0.838 },
  'ko-autorag': { plain: 0.813, best: 0.929 },
  'cosqa-dev': { plain: 0.34, best: 0.359 },
};

/** All sets, or the named ones; sets without data are skipped with a message. */
export function* retrievalSets(names: readonly string[]): Generator<RetrievalSet, void, undefined> {
  for (const [name, reference] of Object.entries(JUDGED)) {
    const folder = names.length === 0 || names.includes(name) ? sharedData(name) : null;
    if (folder === null) continue;
    const set = readJudgedSet(folder);
    yield { name, reference, write: (to) => writeAsMarkdown(set, to), queries: set.queries };
  }
}
