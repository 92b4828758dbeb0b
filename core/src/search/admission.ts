import type { AnalysedQuery } from '../analysis/analysed-query.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';

/** What a query and its filters let through is told by these. */
export interface AdmissionSources {
  readonly query: AnalysedQuery;
  readonly filters: SearchFilters;
  readonly store: Pick<DocumentStore, 'documentIds' | 'getPassages'>;
  readonly index: Pick<LexicalIndex, 'admitted'>;
}

/**
 * Tells which of some chunks a search may show at all: those that are committed, and that filters, quoted phrases and
 * exclusions let through. What the store and the index are asked for, they are asked once, at the first chunk.
 */
export function admission({ query, filters, store, index }: AdmissionSources): Admission {
  let known: Rules | undefined;
  const rules = (): Rules => {
    const chunks = index.admitted(query, filters);
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    return { chunks, documents: chunks === null && isFiltered ? store.documentIds(filters) : null };
  };
  return (ids) => {
    const { chunks, documents } = (known ??= rules());
    const admitted = store
      .getPassages(ids)
      .filter(({ chunkId, docId }) => (chunks?.has(chunkId) ?? true) && (documents?.has(docId) ?? true));
    return new Set(admitted.map(({ chunkId }) => chunkId));
  };
}

/** Tells which of some chunks may be shown. */
type Admission = (ids: readonly ChunkId[]) => ReadonlySet<ChunkId>;

/** What may be shown; null for no restriction. */
interface Rules {
  readonly chunks: ReadonlySet<ChunkId> | null;
  readonly documents: ReadonlySet<DocumentId> | null;
}
