import { foldWord, hasLetterOrDigit } from '../analysis/words.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { findPlace, sourcePathsOf, type PathScope } from '../documents/find-document.ts';
import { phrasesOf } from '../documents/resolve-links.ts';
import type { DocumentId } from '../domain/ids.ts';
import { globInAnyCase } from '../domain/media.ts';
import type { SearchFilters } from '../domain/query.ts';
import { formatUri, parseSourcePath } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Ports } from '../ports.ts';

/** The documents that an argument names: one by its path, those of a folder, those that match a glob, or those called so. */
export interface NamedDocuments {
  readonly kind: 'document' | 'folder' | 'glob' | 'name';
  /** By source and path; empty when nothing matches. */
  readonly documents: readonly { readonly docId: DocumentId; readonly uri: string }[];
}

const PAGE = 1000;
const GLOB = /[*?[\]{}]/;

/**
 * Finds the documents at a path, below a folder, or matching a glob: relative to a source (`work:notes/**`), relative to the working
 * directory, or absolute. A document whose name contains glob characters takes precedence over those the glob would match. Throws
 * `invalid_input` for a path in several sources.
 */
export async function nameDocuments(
  ports: Pick<Ports, 'documents' | 'lexicalIndex'> & PathScope,
  typed: string,
  { source, signal }: AbortOptions & { readonly source?: string | undefined } = {},
): Promise<NamedDocuments> {
  throwIfCancelled(signal, 'get');
  const store = await ports.documents.read();
  let noPlace: unknown;
  const place = await findPlace(store, typed, { source, scope: ports }).catch((error: unknown) => {
    if (!GLOB.test(typed) && !typed.includes('#')) throw error;
    noPlace = error; // neither a glob nor a name need be a path
    return null;
  });
  if (place !== null) return { kind: 'document', documents: [named(place.document)] };
  const sources = new Set(['default', ...(await store.knownSources())]);
  const kind = GLOB.test(typed) ? 'glob' : 'folder';
  for (const filters of await filtersFor(store, typed, { isSource: (id) => sources.has(id), scope: ports })) {
    if (source !== undefined && filters.source !== undefined && !filters.source.includes(source)) continue;
    const documents = await listAll(store, source === undefined ? filters : { ...filters, source: [source] });
    if (documents.length > 0) return { kind, documents: documents.map(named) };
  }
  const called = /[*?]/.test(typed) ? [] : await documentsCalled(ports, typed, source);
  if (called.length === 0 && noPlace !== undefined && kind !== 'glob') throw noPlace;
  return called.length > 0 ? { kind: 'name', documents: called.map(named) } : { kind, documents: [] };
}

/**
 * Documents by a name that somebody remembers: their file name without regard to case and extension, else their title or an alias, else a part of the
 * name or words of the title. Each form is tried only if those before it find nothing.
 */
async function documentsCalled(
  ports: Pick<Ports, 'documents' | 'lexicalIndex'>,
  typed: string,
  source: string | undefined,
): Promise<readonly DocumentRow[]> {
  const name = typed.normalize('NFC').trim();
  if (name === '' || name.length > MAX_NAME_LENGTH) return [];
  const store = await ports.documents.read();
  const within = source === undefined ? {} : { source: [source] };
  const text = globInAnyCase(name);
  const path = (pathGlob: readonly string[]): Promise<readonly DocumentRow[]> =>
    listAll(store, { ...within, pathGlob });
  const byFile = await path([`**/${text}`, `**/${text}.*`]);
  if (byFile.length > 0) return byFile;
  if (!hasLetterOrDigit(name)) return []; // it has no words, and would match every title
  const titled = await listAll(store, { ...within, title: [name] });
  const same = titled.filter(({ title }) => title.toLowerCase() === name.toLowerCase());
  if (same.length > 0) return same;
  const index = await ports.lexicalIndex.read();
  const chunks = (await index.named?.(phrasesOf(index, name), within, MAX_EXAMINED)) ?? [];
  const byAlias = chunks.filter(({ aliases }) => aliases.some((alias) => foldWord(alias) === foldWord(name)));
  if (byAlias.length > 0) return store.getDocuments([...new Set(byAlias.map(({ docId }) => docId))]);
  if (/^-?\d{1,2}$/.test(name)) return []; // the number of a hit, which many dates and titles contain
  return titled.length > 0 ? titled : path([`**/*${text}*`]);
}

const MAX_NAME_LENGTH = 255;
/** How many chunks with the words of a name are examined for aliases. */
const MAX_EXAMINED = 100;

/**
 * The possible meanings of a folder or glob: inside a source first, then on this machine; the reverse order for an explicitly local path.
 */
async function filtersFor(
  store: DocumentStore,
  typed: string,
  { isSource, scope }: { readonly isSource: (id: string) => boolean; readonly scope: PathScope },
): Promise<readonly SearchFilters[]> {
  const { sourceId, path } = parseSourcePath(typed, isSource);
  if (sourceId !== null) return [{ pathGlob: [globOf(path)], source: [sourceId] }];
  const segments = path.split('/');
  const firstGlob = segments.findIndex((segment) => GLOB.test(segment));
  const fixed = firstGlob === -1 ? segments : segments.slice(0, firstGlob);
  const rest = firstGlob === -1 ? [] : segments.slice(firstGlob);
  const folder = fixed.length === 1 && fixed[0] === '' ? '/' : fixed.join('/') || '.';
  const onMachine = (await sourcePathsOf(store, folder, scope)).map((place): SearchFilters => {
    const inside = [...(place.path === '' ? [] : [place.path]), ...rest].join('/');
    return { pathGlob: [globOf(inside)], source: [place.sourceId] };
  });
  const isAnchored = path === '.' || path === '..' || /^\.{0,2}\//.test(path);
  return isAnchored ? onMachine : [{ pathGlob: [globOf(path)] }, ...onMachine];
}

/** A folder means everything in it. */
function globOf(path: string): string {
  const trimmed = path.normalize('NFC').replace(/\/+$/, '');
  if (trimmed === '') return '**';
  return GLOB.test(trimmed) ? trimmed : `${trimmed}/**`;
}

async function listAll(store: DocumentStore, filters: SearchFilters): Promise<readonly DocumentRow[]> {
  const documents: DocumentRow[] = [];
  for (;;) {
    const page = await store.listDocuments(filters, { offset: documents.length, limit: PAGE });
    documents.push(...page.documents);
    if (page.documents.length === 0 || documents.length >= page.total) return documents;
  }
}

function named({ docId, sourceId, workspacePath: path }: DocumentRow): NamedDocuments['documents'][number] {
  return { docId, uri: formatUri({ sourceId, path, fragment: null }) };
}
