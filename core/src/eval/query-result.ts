import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import type { Mode } from '../domain/query.ts';
import type { CitationCheck, RefusalReason } from '../wire/index.ts';

/** Identifies a document across re-ingests and parser changes: its source and path. */
export function documentKey({ sourceId, workspacePath }: Pick<DocumentRow, 'sourceId' | 'workspacePath'>): string {
  return `${sourceId}:${workspacePath}`;
}

/** An expected chunk of a query, and its document. */
export interface ExpectedChunk {
  readonly chunk_id: string;
  readonly document: string;
}

/** The expectations of a query, resolved against the knowledge base. Documents are identified by {@link documentKey}. */
export interface Expected {
  readonly chunks: readonly ExpectedChunk[];
  readonly documents: readonly string[];
  readonly must_contain: readonly string[];
  readonly forbidden: readonly string[];
}

/** One hit of a query, as far as it is judged. */
export interface ResultHit {
  readonly chunk_id: string;
  readonly document: string;
  readonly uri: string;
  readonly score: number;
}

/** The search result of a query. */
export interface ResultRetrieval {
  /** The mode that actually ran. */
  readonly mode: Mode;
  /** Reasons why stages were skipped. */
  readonly degraded: readonly string[];
  /** Best first. */
  readonly hits: readonly ResultHit[];
}

/** One citation of an answer, with its verification. */
export interface ResultCitation {
  readonly uri: string;
  readonly content_hash: string;
  readonly source_id: string | null;
  readonly status: CitationCheck['status'];
  /** Whether its quotations occur in the passage; null when it has none. */
  readonly verified: boolean | null;
}

/** The answer to a query, as far as it is judged. */
export interface ResultAnswer {
  readonly trace_id: string;
  readonly text: string;
  readonly grounded: boolean;
  readonly refusal_reason: RefusalReason | null;
  /** Best relevance of the passages, and the threshold of the gate. */
  readonly top_score: number;
  readonly score_gate: number;
  readonly citations: readonly ResultCitation[];
}

/**
 * The result of one query of a run: the shape in the database and in `per_query.jsonl`, hence the snake_case members. Every metric can be
 * computed from it.
 */
export interface QueryResult {
  readonly query_id: string;
  readonly query: string;
  readonly lang: string | null;
  readonly difficulty: string | null;
  readonly group: string | null;
  readonly answerable: boolean;
  readonly expected: Expected;
  /** Null when the query failed before it had hits. */
  readonly retrieval: ResultRetrieval | null;
  /** Null when no question was asked, or asking failed. */
  readonly answer: ResultAnswer | null;
  /** Null when nothing failed. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly latency_ms: number;
}

/** A request to evaluate a suite. Omitted members have defaults. */
export interface EvalRequest {
  /** Absolute path of the golden suite. */
  readonly suite: string;
  /** `hybrid` by default. */
  readonly mode?: Mode | undefined;
  /** Hits examined per query, and passages per question: 10 by default, 1 to 100. */
  readonly k?: number | undefined;
  /** Also asks each query, using the language model. */
  readonly withRag?: boolean | undefined;
  /** For the language model; the configured one by default. */
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
}

/** The progress of a run. */
export interface EvalProgress {
  readonly done: number;
  readonly total: number;
  /** The query that finished last. */
  readonly queryId: string;
}

/** Receives notices that are not part of the result, one line at a time. Exceptions it throws are ignored. */
export interface EvalNotices {
  readonly onNotice?: (line: string) => void;
}

/** Options for following and cancelling a run. */
export interface EvalOptions extends AbortOptions, EvalNotices {
  /** Called after each query; exceptions it throws are ignored. */
  readonly onProgress?: (progress: EvalProgress) => void;
}

/** Options of a comparison. */
export interface EvalCompareOptions extends AbortOptions, EvalNotices {
  /** Rejects runs of different chunkers instead of comparing them by document. */
  readonly strictChunkerVersion?: boolean;
  /** Writes `report.md` into the folder of the second run. */
  readonly writeReport?: boolean;
}

/** Calls a listener, if there is one; exceptions it throws are ignored. */
export function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch {
    // the listener is gone
  }
}
