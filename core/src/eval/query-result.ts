import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import type { Mode } from '../domain/query.ts';
import type { CitationCheck, RefusalReason } from '../wire/index.ts';

/** What names a document across re-ingests and changes of the parser: its source and path. */
export function documentKey({ sourceId, workspacePath }: Pick<DocumentRow, 'sourceId' | 'workspacePath'>): string {
  return `${sourceId}:${workspacePath}`;
}

/** A chunk that a query expects, and the document it lies in. */
export interface ExpectedChunk {
  readonly chunk_id: string;
  readonly document: string;
}

/** What a query expects, in terms of the knowledge base it was asked of. Documents by {@link documentKey}. */
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

/** What the search of a query gave. */
export interface ResultRetrieval {
  /** The mode that really ran. */
  readonly mode: Mode;
  /** Reasons why stages were skipped. */
  readonly degraded: readonly string[];
  /** Best first. */
  readonly hits: readonly ResultHit[];
}

/** One citation of an answer, and what became of it when it was checked. */
export interface ResultCitation {
  readonly uri: string;
  readonly content_hash: string;
  readonly source_id: string | null;
  readonly status: CitationCheck['status'];
  /** Whether its quotations stand in the passage; null when it has none. */
  readonly verified: boolean | null;
}

/** What was answered, as far as it is judged. */
export interface ResultAnswer {
  readonly trace_id: string;
  readonly text: string;
  readonly grounded: boolean;
  readonly refusal_reason: RefusalReason | null;
  /** Best relevance of the passages, and what the gate asks. */
  readonly top_score: number;
  readonly score_gate: number;
  readonly citations: readonly ResultCitation[];
}

/**
 * What came of one query of a run: the shape in the database and in `per_query.jsonl`, which is why its members are in
 * snake_case. Every metric can be computed from it.
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
  /** Null when nothing was asked, or asking failed. */
  readonly answer: ResultAnswer | null;
  /** Null when nothing failed. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly latency_ms: number;
}

/** What is to be evaluated. What is left out has its default. */
export interface EvalRequest {
  /** Absolute path of the golden suite. */
  readonly suite: string;
  /** `hybrid` by default. */
  readonly mode?: Mode | undefined;
  /** Hits looked at for each query, and passages of each question: 10 by default, 1 to 100. */
  readonly k?: number | undefined;
  /** Also asks each query, with the language model. */
  readonly withRag?: boolean | undefined;
  /** Of the language model; the configured one by default. */
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
}

/** How far a run has come. */
export interface EvalProgress {
  readonly done: number;
  readonly total: number;
  /** The query that was done last. */
  readonly queryId: string;
}

/** Receives what the result itself does not say, a line at a time. An exception of theirs is ignored. */
export interface EvalNotices {
  readonly onNotice?: (line: string) => void;
}

/** How a run is followed and stopped. */
export interface EvalOptions extends AbortOptions, EvalNotices {
  /** Called behind each query; an exception it throws is ignored. */
  readonly onProgress?: (progress: EvalProgress) => void;
}

/** How two runs are compared. */
export interface EvalCompareOptions extends AbortOptions, EvalNotices {
  /** Refuses runs of different chunkers instead of comparing them by document. */
  readonly strictChunkerVersion?: boolean;
  /** Writes `report.md` into the folder of the second run. */
  readonly writeReport?: boolean;
}

/** Calls a listener, if there is one; what it throws is ignored. */
export function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch {
    // whoever listens has gone
  }
}
