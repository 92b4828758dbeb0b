import type { QueryResult, ResultAnswer } from '../../src/eval/query-result.ts';

/** Properties of a result. */
export interface ResultSpec {
  /** Hits as `document/chunk`, best first. */
  readonly hits?: readonly string[];
  /** Expected chunks as `document/chunk`. */
  readonly chunks?: readonly string[];
  readonly documents?: readonly string[];
  readonly mustContain?: readonly string[];
  readonly forbidden?: readonly string[];
  readonly answerable?: boolean;
  readonly answer?: Partial<ResultAnswer>;
  readonly error?: string;
  /** The search itself failed. */
  readonly unsearched?: boolean;
}

const ANSWER: ResultAnswer = {
  trace_id: 'ret_00000001',
  text: 'It is so [1].',
  grounded: true,
  refusal_reason: null,
  top_score: 0.9,
  score_gate: 0.3,
  citations: [{ uri: 'a.md#L1', content_hash: '0'.repeat(16), source_id: null, status: 'exact', verified: null }],
};

/** A result of one query, for tests. */
export function resultOf(id: string, spec: ResultSpec = {}): QueryResult {
  return {
    query_id: id,
    query: `the question ${id}`,
    lang: null,
    difficulty: null,
    group: null,
    answerable: spec.answerable ?? true,
    expected: {
      chunks: (spec.chunks ?? []).map((place) => ({ chunk_id: place, document: documentOf(place) })),
      documents: spec.documents ?? [],
      must_contain: spec.mustContain ?? [],
      forbidden: spec.forbidden ?? [],
    },
    retrieval:
      spec.unsearched === true
        ? null
        : {
            mode: 'lexical',
            degraded: [],
            hits: (spec.hits ?? []).map((place) => ({
              chunk_id: place,
              document: documentOf(place),
              uri: `${documentOf(place)}#L1`,
              score: 1,
            })),
          },
    answer: spec.answer === undefined ? null : { ...ANSWER, ...spec.answer },
    error: spec.error === undefined ? null : { code: 'generic', message: spec.error },
    latency_ms: 1,
  };
}

function documentOf(place: string): string {
  return place.slice(0, place.lastIndexOf('/'));
}
