import type { AbortOptions } from '../contracts/contribution.ts';
import type { AskedFilters } from '../domain/query.ts';
import { charCount } from '../domain/text-size.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { resolveFilters } from '../documents/resolve-filters.ts';
import { LIST_DOCS } from '../requests/fetch.ts';
import { checkMember } from '../requests/read-request.ts';
import { SEARCH } from '../requests/search.ts';
import { countThatFits, decodeCursor, encodeCursor, hashRanking } from '../paging/cursor.ts';
import { FreshnessCheck, type FreshnessPorts, type FreshnessState } from '../documents/freshness.ts';
import type { Ports } from '../ports.ts';
import type { DocList, DocSummary } from '../wire/index.ts';
import { allTags } from '../domain/metadata.ts';
import type { DocumentPage, DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { codeFacts } from '../documents/document-facts.ts';

/** Which page of the list. */
export interface ListPage {
  readonly cursor?: string | undefined;
  /** Documents on the page, 1 to 1000; 100 by default. */
  readonly limit?: number | undefined;
  /** Budget of the whole compact JSON response in output tokens; at least one document is always included. */
  readonly maxTokens?: number | undefined;
}

const DEFAULT_LIMIT = 100;

/** One page of documents, by source and path. Errors: `invalid_input` for an invalid cursor or number, `stale_cursor`, `not_indexed`. */
export async function listDocuments(
  ports: FreshnessPorts & Pick<Ports, 'documents'>,
  typedFilters: AskedFilters = {},
  page: ListPage = {},
  { signal }: AbortOptions = {},
): Promise<DocList> {
  throwIfCancelled(signal, 'list docs');
  const { store, documents, total, offset, room, cursorAt } = await readPage(ports, typedFilters, page, DEFAULT_LIMIT);
  const freshness = await FreshnessCheck.of(ports, store, signal);
  const docs: DocSummary[] = [];
  for (const document of documents) {
    throwIfCancelled(signal, 'list docs');
    docs.push(toDocSummary(document, await freshness.check(document)));
  }
  const listOf = (count: number): DocList => {
    const next = offset + count;
    const shown = docs.slice(0, count);
    return { schema_version: 'doc_list.v1', docs: shown, total, next_cursor: next < total ? cursorAt(next) : null };
  };
  if (room === Infinity) return listOf(docs.length);
  const count = countThatFits({
    sizes: docs.map(sizeOf),
    budget: room,
    sizeAround: (length) => sizeOf({ ...listOf(length), docs: [] }),
  });
  return listOf(count);
}

/** The rows of a page, and how to name the one that begins at another offset. */
export async function readPage(
  ports: Pick<Ports, 'documents' | 'config' | 'clock'>,
  typedFilters: AskedFilters,
  { cursor, limit, maxTokens }: ListPage,
  defaultLimit: number,
): Promise<DocumentPage & PagePlace> {
  const room = maxTokens === undefined ? Infinity : checkMember('max_tokens', SEARCH.max_tokens, maxTokens) * 4;
  const count = limit === undefined ? defaultLimit : checkMember('limit', LIST_DOCS.limit, limit);
  const store = await ports.documents.read();
  const filters = await resolveFilters(typedFilters, { now: ports.clock.now(), store, config: ports.config });
  const queryHash = hashRanking({ list: 'documents', text: '', mode: '', filters, settings: null });
  const corpusRevision = await store.corpusRevision();
  const offset = cursor === undefined ? 0 : decodeCursor(cursor, { corpusRevision, queryHash }).offset;
  const { documents, total } = await store.listDocuments(filters, { offset, limit: count });
  const cursorAt = (next: number): string => encodeCursor({ offset: next, corpusRevision, queryHash, stages: [] });
  return { store, documents, total, offset, room, cursorAt };
}

interface PagePlace {
  readonly store: DocumentStore;
  /** How many documents come before. */
  readonly offset: number;
  /** The budget in characters. */
  readonly room: number;
  readonly cursorAt: (offset: number) => string;
}

function sizeOf(value: unknown): number {
  return charCount(JSON.stringify(value));
}

/** Converts to doc_summary.v1, the only place where a document in a list is converted to its wire form. */
export function toDocSummary(document: DocumentRow, state: FreshnessState): DocSummary {
  return {
    schema_version: 'doc_summary.v1',
    doc_id: document.docId,
    doc_path: document.workspacePath,
    source_id: document.sourceId,
    media: document.media,
    title: document.title,
    lang: document.lang,
    tags: allTags(document),
    trust_level: document.trustLevel,
    source_type: document.sourceType,
    byte_len: document.byteLen,
    chunk_count: document.chunkCount,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
    indexed_at: document.indexedAt.toISOString(),
    stale: state.stale,
    freshness: state.freshness,
    parser_version: document.parserVersion,
    chunker_version: document.chunkerVersion,
    ...codeFacts(document),
  };
}
