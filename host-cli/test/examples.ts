// The example wire objects with which core tests its schemas, under the names that tests of commands use, and additional ones.
import type {
  Answer,
  AnswerCitation,
  Citation,
  IngestProgress,
  SearchHit,
  SearchResponse,
  WireName,
  WireObjects,
} from '@kebab/core/app';
import { EXAMPLES } from '../../core/test/wire/examples/all.ts';
import { lineCitation, time } from '../../core/test/wire/examples/places.ts';

export { chunkId, docId, time } from '../../core/test/wire/examples/places.ts';
export { lineCitation as citation };

export const configEntry = example('config_entry');
export const configPaths = example('config_paths');
export const configView = example('config_view');
export const doctor = example('doctor');
export const evalAggregate = example('eval_aggregate');
export const evalCompare = example('eval_compare');
export const evalRun = example('eval_run');
export const initReport = example('init_report');
export const modelList = example('model_list');
export const modelPull = example('model_pull');
export const opened = example('open');
export const pluginExplain = example('plugin_explain');
export const pluginChange = example('plugin_change');
export const pluginList = example('plugin_list');
export const pluginSearch = example('plugin_search');
export const related = example('related');
export const removedDocument = example('document_removed');
export const repairReport = example('repair_report');
export const statusNow = example('status');
export const resetReport = example('reset_report');
export const schema = example('schema');
export const serviceStatus = example('service_status', 1);
export const session = example('session_summary');
export const sessionTurns = example('session_turns');
export const tokenReport = example('token_report');
export const trustReport = example('trust_report');
export const moveReport = example('move_report');
export const vectorsCopied = example('vectors_copied', 1);
export const chunk = example('chunk_inspection');
export const docInspection = example('doc_inspection');
export const sourceAdded = example('source_added');
export const sourceList = example('source_list');
export const sourceRemoved = example('source_removed');
export const summary = example('doc_summary');
export const codeSummary = example('doc_summary', 1);
export const fetchedChunk = example('fetch_result');
export const fetchedDoc = example('fetch_result', 1);
export const outlined = example('outline');
export const symbolResult = example('symbol_result');
export const hit = example('search_hit');
export const moved = example('citation_check');
export const gone = example('citation_check', 1);
export const ingestReport = example('ingest_report');
/** The report of an interrupted run, without its list of files. */
export const shortReport = example('ingest_report', 1);
export const answer = example('answer');
export const explained = example('answer', 1);

function example<N extends WireName>(name: N, at = 0): WireObjects[N] {
  const value = EXAMPLES[name][at];
  if (value === undefined) throw new Error(`core has no example ${at} of ${name}`);
  return value;
}

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
