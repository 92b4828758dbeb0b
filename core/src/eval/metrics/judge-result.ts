import type { QueryResult, ResultAnswer } from '../query-result.ts';
import type { Ranking } from './ranking-metrics.ts';

/** What hits are judged by: chunk by chunk, or only by the document they lie in. */
export type JudgedBy = 'chunk' | 'document';

/** A result in the form in which metrics look at it. */
export interface Judged {
  /** Hits against expected chunks; null when no chunk is expected. */
  readonly chunks: Ranking | null;
  /** The documents of the hits in order of their first hit, against expected ones; null when no document is expected. */
  readonly documents: Ranking | null;
  readonly judgedBy: JudgedBy;
  readonly hasHits: boolean;
  readonly mustContain: readonly string[];
  readonly forbidden: readonly string[];
  readonly answerable: boolean;
  /** Null when nothing was asked, or asking failed. */
  readonly answer: ResultAnswer | null;
}

/**
 * Prepares a result for metrics; null when there are no hits to judge, because searching failed. Judged by document, a chunk stands for the document it lies in:
 * so results of different chunkers can be compared.
 */
export function judgeResult(result: QueryResult, judgedBy: JudgedBy = 'chunk'): Judged | null {
  const { retrieval, expected } = result;
  if (retrieval === null) return null;
  const documents = [...new Set(retrieval.hits.map(({ document }) => document))];
  const chunks = retrieval.hits.map(({ chunk_id: id }) => id);
  return {
    chunks:
      judgedBy === 'chunk'
        ? ranking(
            chunks,
            expected.chunks.map(({ chunk_id: id }) => id),
          )
        : ranking(
            documents,
            expected.chunks.map(({ document }) => document),
          ),
    documents: ranking(documents, expected.documents),
    judgedBy,
    hasHits: retrieval.hits.length > 0,
    mustContain: expected.must_contain,
    forbidden: expected.forbidden,
    answerable: result.answerable,
    answer: result.answer,
  };
}

/** What the rank of a query is told by: its chunks, else its documents. */
export function rankedBy({ chunks, documents }: Judged): Ranking | null {
  return chunks ?? documents;
}

function ranking(ranked: readonly string[], expected: readonly string[]): Ranking | null {
  return expected.length === 0 ? null : { ranked, expected: new Set(expected) };
}
