import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { SearchFilters } from '../domain/query.ts';

const PAGE = 500;

/** Every document that passes the filters, by source and path, read in pages. */
export async function* allDocuments(
  store: Pick<DocumentStore, 'listDocuments'>,
  filters: SearchFilters = {},
): AsyncGenerator<DocumentRow, void, undefined> {
  for (let offset = 0; ; offset += PAGE) {
    const { documents } = await store.listDocuments(filters, { offset, limit: PAGE });
    yield* documents;
    if (documents.length < PAGE) return;
  }
}
