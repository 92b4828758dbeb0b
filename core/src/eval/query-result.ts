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
