import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { SourceSpan } from '../domain/span.ts';
import { parseUri, type UriFragment } from '../domain/uri.ts';
import { normalizeWorkspacePath } from '../domain/workspace-path.ts';
import { FILTER_KEYS } from '../requests/filters.ts';

/** What is stored of a place that somebody expected among the hits. */
export type ExpectedPlace =
  | { readonly kind: 'not_indexed'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'no_such_place'; readonly reason: string }
  | { readonly kind: 'excluded'; readonly filters: readonly string[] }
  | {
      readonly kind: 'searched';
      /** Of one document at least, each with a chunk at the place. */
      readonly documents: readonly DocumentRow[];
      readonly chunks: readonly Chunk[];
    };

/** Looks up a citation URI: which chunks lie there, and whether filters let their documents through. Throws `invalid_input`. */
export function findExpectedPlace(store: DocumentStore, uri: string, filters: SearchFilters): ExpectedPlace {
  const { path, fragment } = parseUri(uri);
  const workspacePath = normalizeWorkspacePath(path);
  const documents = store.findByPath(workspacePath);
  if (documents.length === 0) return notIndexed(store, workspacePath);
  const left = documents.filter(({ docId }) => passes(store, filters, docId));
  if (left.length === 0) return { kind: 'excluded', filters: excludingFilters(store, filters, documents) };
  const chunks = left.flatMap(({ docId }) => store.listChunks(docId).filter((chunk) => liesAt(chunk, fragment)));
  if (chunks.length > 0) return { kind: 'searched', documents: left, chunks };
  return { kind: 'no_such_place', reason: `${workspacePath} is indexed, but no passage of it lies at ${uri}` };
}

function notIndexed(store: DocumentStore, path: string): ExpectedPlace {
  const failed = store.quarantined().find(({ workspacePath }) => workspacePath === path);
  if (failed !== undefined)
    return {
      kind: 'not_indexed',
      reason: `${path} could not be taken in: ${failed.reason}`,
      hint: 'mend the file, then run `kebab ingest`',
    };
  const name = path.slice(path.lastIndexOf('/') + 1);
  const { documents } = store.listDocuments({ pathGlob: [`**/${escapeGlob(name)}`] }, { offset: 0, limit: 1 });
  const [other] = documents;
  return {
    kind: 'not_indexed',
    reason: `no document has the path ${path}`,
    hint:
      other === undefined
        ? 'run `kebab ingest`; its report names files that were skipped, and why'
        : `did you mean ${other.workspacePath}?`,
  };
}

function passes(store: DocumentStore, filters: SearchFilters, docId: DocumentRow['docId']): boolean {
  if (filters.docId !== undefined && !filters.docId.includes(docId)) return false;
  return store.listDocuments({ ...filters, docId: [docId] }, { offset: 0, limit: 1 }).total > 0;
}

/** The filters, by the names that requests give them, that let none of the documents through on their own. */
function excludingFilters(
  store: DocumentStore,
  filters: SearchFilters,
  documents: readonly DocumentRow[],
): readonly string[] {
  const excluding = FILTER_KEYS.filter(({ member }) => {
    const value = filters[member];
    return value !== undefined && !documents.some(({ docId }) => passes(store, { [member]: value }, docId));
  });
  return (excluding.length > 0 ? excluding : FILTER_KEYS.filter(({ member }) => filters[member] !== undefined)).map(
    ({ key }) => key,
  );
}

function escapeGlob(name: string): string {
  return name.replaceAll(/[[\]{}()*?!\\]/g, '?');
}

function liesAt(chunk: Chunk, fragment: UriFragment | null): boolean {
  switch (fragment?.kind) {
    case undefined:
    case 'caption':
    case 'region':
      return true;
    case 'line':
      return chunk.sourceSpans.some((span) => linesMeet(span, fragment));
    case 'page':
      return chunk.sourceSpans.some((span) => span.kind === 'page' && span.page === fragment.page);
    case 'time':
      return chunk.sourceSpans.some(
        (span) => span.kind === 'time' && span.start_ms < fragment.endMs && span.end_ms > fragment.startMs,
      );
    default:
      return fragment satisfies never;
  }
}

function linesMeet(span: SourceSpan, { start, end }: { readonly start: number; readonly end: number }): boolean {
  if (span.kind === 'line') return span.start <= end && span.end >= start;
  return span.kind === 'code' && span.line_start <= end && span.line_end >= start;
}
