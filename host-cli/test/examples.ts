// Wire objects as tests of commands use them.
import type {
  Answer,
  AnswerCitation,
  Citation,
  IngestProgress,
  SearchHit,
  SearchResponse,
  WireObjects,
} from '@kebab/core/app';
import { answer } from './examples/answers.ts';
import { lineCitation, time } from './examples/places.ts';
import { hit } from './examples/searches.ts';

export * from './examples/answers.ts';
export * from './examples/documents.ts';
export * from './examples/ingests.ts';
export { chunkId, docId, gone, lineCitation as citation, moved, time } from './examples/places.ts';
export * from './examples/reports.ts';
export { hit } from './examples/searches.ts';

/** A setting at its default value. */
export function settingAs(key: string, value: string | number): WireObjects['config_entry'] {
  return {
    schema_version: 'config_entry.v1',
    key,
    value,
    origin: 'default',
    file: '/config.toml',
    overridden_by: null,
    needs_trust: false,
  };
}

/** A hit of a lexical search. */
export const lexicalHit: SearchHit = {
  ...hit,
  score: 12.4,
  score_kind: 'relevance',
  retrieval: {
    method: 'lexical',
    lexical_score: 12.4,
    vector_score: null,
    fusion_score: null,
    lexical_rank: 1,
    vector_rank: null,
  },
  embedding_model: null,
};

/** An answer with these hits. */
export function responseOf(hits: readonly SearchHit[], more: Partial<SearchResponse> = {}): SearchResponse {
  return {
    schema_version: 'search_response.v1',
    hits,
    next_cursor: null,
    truncated: false,
    mode: hits[0]?.retrieval.method ?? 'lexical',
    degraded: [],
    ...more,
  };
}

/** A citation of an answer. */
export function cited(marker: string | null, citation: Partial<Citation>, more: Partial<AnswerCitation> = {}) {
  return {
    marker,
    citation: { ...lineCitation, ...citation } as Citation,
    score: 0.82,
    indexed_at: time,
    stale: false,
    freshness: 'fresh',
    quotes: [],
    verified: null,
    ...more,
  } satisfies AnswerCitation;
}

/** Refused at the gate. */
export const gated: Answer = {
  ...answer,
  answer: 'Not enough evidence. The knowledge base has nothing on this.',
  citations: [cited(null, { uri: 'notes/finance/personal-budget.md#L1-L8' }, { score: 0.21 })],
  grounded: false,
  refusal_reason: 'score_gate',
  retrieval: { ...answer.retrieval, top_score: 0.21, chunks_returned: 1, chunks_used: 0 },
};

/** Refused by the model. */
export const judged: Answer = {
  ...answer,
  answer: 'Not enough evidence. The retrieved chunks do not contain the answer.',
  citations: [
    cited(null, { uri: 'papers/book.pdf#p=23' }, { score: 0.61 }),
    cited(null, { uri: 'papers/book.pdf#p=24' }, { score: 0.58 }),
  ],
  grounded: false,
  refusal_reason: 'llm_self_judge',
};

type Bare<T> = T extends unknown ? Omit<T, 'schema_version' | 'ts'> : never;

/** An event with the members that all events have. */
export function event(bare: Bare<IngestProgress>): IngestProgress {
  return { schema_version: 'ingest_progress.v1', ts: time, ...bare };
}
