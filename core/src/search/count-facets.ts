import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { CheckedSearch } from '../requests/search.ts';
import type { Facets } from '../wire/index.ts';
import { documentsHolding, MAX_COUNTED, type Ranking } from './rank-chunks.ts';

/** A search whose documents are counted. */
interface CountedSearch {
  readonly search: Pick<CheckedSearch, 'minRelevance'>;
  readonly analysed: AnalysedQuery;
  readonly filters: SearchFilters;
  /** Whether it lists documents instead of passages. */
  readonly isFiltersOnly: boolean;
  readonly ranking: Pick<Ranking, 'mode' | 'complete' | 'entries' | 'lexical'>;
  readonly index: Pick<LexicalIndex, 'search' | 'admitted'>;
  readonly store: Pick<DocumentStore, 'getDocuments' | 'getPassages' | 'listDocuments'>;
  readonly signal: AbortSignal | undefined;
}

/** The documents of a list without words that are counted. */
const MAX_LISTED = 1000;
const MAX_VALUES = 12;

/**
 * Counts the documents of a search by the values that filters can have: those of its best {@link MAX_COUNTED} passages by words and of the
 * passages that it ranked, or, for a query without words, its newest 1000 documents.
 */
export async function countFacets(search: CountedSearch): Promise<Facets> {
  const { documents, isComplete } = await documentsOf(search);
  const fields = FIELDS.map(([field, valuesOf]) => ({ field, values: countedValues(documents, valuesOf) }));
  return {
    documents: documents.length,
    complete: isComplete,
    fields: fields.filter(({ values }) => values.length > 0),
  };
}

async function documentsOf({
  search,
  analysed,
  filters,
  isFiltersOnly,
  ranking: { mode, complete, entries, lexical },
  index,
  store,
  signal,
}: CountedSearch): Promise<{ readonly documents: readonly DocumentRow[]; readonly isComplete: boolean }> {
  if (isFiltersOnly) {
    const page = { offset: 0, limit: MAX_LISTED, newestFirst: true };
    const { documents, total } = await store.listDocuments(filters, page);
    const barred = await documentsHolding(analysed, filters, { index, store, signal });
    return { documents: documents.filter(({ docId }) => !barred.has(docId)), isComplete: documents.length === total };
  }
  const isWhole = lexical.length >= MAX_COUNTED || (mode === 'lexical' && complete && search.minRelevance === null);
  const found = isWhole
    ? lexical.slice(0, MAX_COUNTED)
    : await index.search(analysed, filters, MAX_COUNTED, { signal });
  const docIds = new Map<ChunkId, DocumentId | undefined>(entries.map(({ chunkId }) => [chunkId, undefined]));
  for (const { chunkId, docId } of found) docIds.set(chunkId, docId);
  const unknown = [...docIds].flatMap(([chunkId, docId]) => (docId === undefined ? [chunkId] : []));
  const passages = unknown.length === 0 ? [] : await store.getPassages(unknown);
  const known = [...docIds.values()].filter((docId) => docId !== undefined);
  const documents = await store.getDocuments([...new Set([...known, ...passages.map(({ docId }) => docId)])]);
  return { documents, isComplete: found.length < MAX_COUNTED };
}

type Field = Facets['fields'][number]['field'];

/** The values of a document in the form that the operator of a query takes. */
const FIELDS: readonly (readonly [Field, (document: DocumentRow) => readonly string[]])[] = [
  ['source', ({ sourceId }) => [sourceId]],
  ['type', (document) => [typeOf(document)]],
  ['lang', ({ lang }) => (lang === 'und' ? [] : [lang])],
  ['tag', ({ tags, inlineTags = [] }) => [...new Set([...tags, ...inlineTags])]],
  ['year', ({ date }) => [String(date.getFullYear())]],
];

/** The type of a document in the form that `type:` takes: its medium, its programming language, or the extension of its file. */
export function typeOf({ media, codeLang, workspacePath }: DocumentRow): string {
  if (media === 'code') return codeLang ?? media;
  return media === 'other' ? (/\.([^./]+)$/.exec(workspacePath)?.[1] ?? media).toLowerCase() : media;
}

/** The most common values; years are ordered by time. */
function countedValues(
  documents: readonly DocumentRow[],
  valuesOf: (document: DocumentRow) => readonly string[],
): Facets['fields'][number]['values'] {
  const counts = new Map<string, number>();
  for (const document of documents)
    for (const value of valuesOf(document)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || compareCodePoints(a.value, b.value))
    .slice(0, MAX_VALUES);
}
