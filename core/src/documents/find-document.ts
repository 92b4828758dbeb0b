import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import {
  formatSourcePath,
  parseSourcePath,
  parseUri,
  type SourcePath,
  type UriFragment,
  normalizeWorkspacePath,
  workspacePathOf,
} from '../domain/uri.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { EXTERNAL, indexedSources, type SourceConfig, type SourceRoot } from './source-roots.ts';

/** A path that is not relative to a source: absolute, or explicitly relative to the working directory. */
const ANCHORED = /^(?:\.{1,2}[/\\]|[/\\]|[A-Za-z]:[/\\])/;

/** The store methods that finding a document by its path needs. */
export type PathStore = Pick<DocumentStore, 'findDocument' | 'findByPath' | 'knownSources' | 'indexedRoots'>;

/** The context of a typed path: absolute paths, and those relative to the working directory, are resolved in the folders of sources. */
export interface PathScope {
  /** Absolute. */
  readonly cwd: string;
  readonly config: SourceConfig;
}

/** How to interpret a path. */
export interface PathOptions {
  /** The only source to search. */
  readonly source?: string | undefined;
  /** Without them a path can only be relative to a source. */
  readonly scope?: PathScope | undefined;
}

/** A document and the place in it that was designated. */
export interface FoundPlace {
  readonly document: DocumentRow;
  /** Null for the whole document. */
  readonly fragment: UriFragment | null;
  /** The first digits of the hash of the cited text, if the URI has them. */
  readonly pin?: string | undefined;
}

/** Longer than a path on any system; searching for a text of megabytes would take a hundred times its size in memory. */
const MAX_PATH_LENGTH = 32_768;

/** Longer than a file name on any system: no suggestions are computed for it. */
const MAX_NAME_LENGTH = 255;

/**
 * Finds the documents of all sources that a citation URI or a path designates, and the place in them; null when there is none. A path may
 * begin with the id of its source (`work:notes/a.md`), end with lines (`notes/a.md:12-20`) and be percent-encoded; it is relative to a
 * source, relative to the working directory, or absolute. The form that kebab prints is tried first. Throws `invalid_input` for an invalid
 * fragment, and for a path outside all sources.
 */
export async function findPlaces(
  store: PathStore,
  typed: string,
  options: PathOptions = {},
): Promise<(Pick<FoundPlace, 'fragment' | 'pin'> & { readonly documents: readonly DocumentRow[] }) | null> {
  const sources = new Set(['default', ...(await store.knownSources())]);
  for (const { path, fragment, pin } of typed.length > MAX_PATH_LENGTH ? [] : readingsOf(typed)) {
    const named = parseSourcePath(path, (id) => sources.has(id));
    const bare = { sourceId: null, path };
    for (const reading of named.sourceId === null ? [bare] : [named, bare]) {
      const documents = await documentsAt(store, reading, options);
      const [first] = documents;
      if (first !== undefined)
        return { documents, pin, fragment: fragment?.kind === 'number' ? placeOf(fragment, first) : fragment };
    }
  }
  await refuseOutside(store, parseUri(typed).path, options.scope);
  return null;
}

/**
 * Finds the one document that a citation URI or a path designates, see {@link findPlaces}; null when there is none. A URI with a fragment
 * and without a source prefers the source `default`, because its URIs are printed without a source. Throws `invalid_input` for any other
 * path that exists in several sources.
 */
export async function findPlace(
  store: PathStore,
  typed: string,
  options: PathOptions = {},
): Promise<FoundPlace | null> {
  const places = await findPlaces(store, typed, options);
  if (places === null) return null;
  const { documents, fragment, pin } = places;
  const [only, ...others] = documents;
  const printed = documents.find(({ sourceId }) => sourceId === 'default' && typed.includes('#'));
  const document = others.length === 0 ? only : printed;
  if (document !== undefined) return { document, fragment, pin };
  const qualified = documents.map(({ sourceId, workspacePath }) => `${sourceId}:${workspacePath}`);
  throw invalidInput(`${JSON.stringify(typed)} is in several sources: ${qualified.join(', ')}`, {
    field: 'source',
    value: typed,
    allowed: qualified,
    hint: 'write the path with its source, as one of these',
  });
}

/**
 * Like {@link findPlace}, but throws `doc_not_found` when there is none, suggesting the document that may have been meant, and
 * `invalid_input` for an invalid range of lines.
 */
export async function requirePlace(
  store: PathStore & Pick<DocumentStore, 'listDocuments'>,
  typed: string,
  options: PathOptions = {},
): Promise<FoundPlace> {
  const place = await findPlace(store, typed, options);
  if (place !== null) return place;
  const { path } = parseUri(typed);
  if (basename(path).length > MAX_NAME_LENGTH) throw notFoundAt(path);
  await refuseLines(store, typed, options);
  const other = await meantBy(store, path);
  if (other === undefined) throw notFoundAt(path);
  if (other.workspacePath === path) throw notFoundAt(path, `it is in the source ${other.sourceId}`);
  throw notFoundAt(path, `did you mean ${formatSourcePath({ sourceId: other.sourceId, path: other.workspacePath })}?`);
}

/** Throws when a document exists at the path, so that only the line numbers after it are wrong. */
async function refuseLines(store: PathStore, typed: string, options: PathOptions): Promise<void> {
  const [, path = '', start] = /^(.+):(\d{1,9})(?:-\d{1,9})?$/s.exec(typed) ?? [];
  if (start === undefined || (await findPlaces(store, path, options)) === null) return;
  const why = Number(start) < 1 ? 'lines are counted from 1' : 'the range ends before it starts';
  throw invalidInput(`${JSON.stringify(typed)} is not a range of lines: ${why}`, { field: 'path', value: typed });
}

/** How many file names are compared with a mistyped one. */
const MAX_COMPARED = 1000;

/** The only document with this file name in any folder; if no document has it, the one with the nearest name in the typed folder. */
async function meantBy(
  store: PathStore & Pick<DocumentStore, 'listDocuments'>,
  typed: string,
): Promise<DocumentRow | undefined> {
  const sources = new Set(['default', ...(await store.knownSources())]);
  const { sourceId, path } = parseSourcePath(typed, (id) => sources.has(id));
  const source = sourceId === null ? {} : { source: [sourceId] };
  const [name, folder] = [basename(path), dirname(path)];
  const named = await store.listDocuments({ pathGlob: [`**/${literalGlob(name)}`] }, { offset: 0, limit: 1 });
  if (named.total > 0) return named.total === 1 ? named.documents[0] : undefined;
  const pathGlob = [folder === '.' ? '**' : `${literalGlob(folder)}/*`];
  const { documents } = await store.listDocuments({ ...source, pathGlob }, { offset: 0, limit: MAX_COMPARED });
  const nearest = nearestName(
    name,
    documents.map(({ workspacePath }) => basename(workspacePath)),
  );
  return documents.find(({ workspacePath }) => basename(workspacePath) === nearest);
}

/** A glob that matches the path; characters that are special in globs match any character. */
export function literalGlob(path: string): string {
  return path.replaceAll(/[[\]{}()*?!\\]/g, '?');
}

/** The id of the document that a user names by its path, its id or the first digits of its id. Throws the errors of both lookups. */
export async function documentIdOf(
  store: PathStore & Pick<DocumentStore, 'listDocuments' | 'findIds'>,
  typed: string,
  scope: PathScope,
): Promise<string> {
  const place = async (): Promise<string> => (await requirePlace(store, typed, { scope })).document.docId;
  if (!/^\s*[0-9a-f]{6,32}\s*$/i.test(typed)) return place();
  try {
    return await resolveId(store, 'document', typed);
  } catch (error) {
    if (!isKebabError(error, 'doc_not_found')) throw error;
    return place().catch(() => Promise.reject(error)); // `facade` is six hex digits, but may also be a file name
  }
}

/** A path outside all sources can never be found. */
async function refuseOutside(store: PathStore, path: string, scope: PathScope | undefined): Promise<void> {
  if (scope === undefined) normalizeWorkspacePath(path);
  if (scope === undefined || !ANCHORED.test(path)) return;
  if ((await sourcePathsOf(store, path, scope)).length > 0) return;
  const roots = (await foldersOf(store, scope)).filter(({ id }) => id !== EXTERNAL).map(({ root }) => root);
  throw invalidInput(`${JSON.stringify(path)} lies in no folder that kebab reads`, {
    field: 'path',
    value: path,
    hint: `sources lie in ${[...new Set(roots)].join(', ')}; add another folder with \`kebab add FOLDER\``,
  });
}

/** An interpretation of a typed path: with the place of a URI, or with numbers that are lines or a page. */
interface Reading {
  readonly path: string;
  readonly fragment: UriFragment | Numbers | null;
  readonly pin?: string | undefined;
}

interface Numbers {
  readonly kind: 'number';
  readonly start: number;
  readonly end: number;
}

/** A path with lines, or with a line and a column; `cite verify` prints the hash behind them. */
const LINES = /^(.+?):(\d{1,9})(?:-(\d{1,9})|:\d{1,9}:?)?(?:~([\da-f]{6,16}))?$/s;

/** The possible interpretations of a text, the form that kebab prints first. */
function readingsOf(typed: string): readonly Reading[] {
  const [, path = '', from = '', to = from, pin] = LINES.exec(typed) ?? [];
  const [start, end] = [Number(from), Number(to)];
  const last = typed.lastIndexOf('#'); // the names before it may contain others
  const written: readonly Reading[] = [
    ...uriIn(typed),
    { path: typed, fragment: null },
    ...(start >= 1 && end >= start ? [{ path, pin, fragment: { kind: 'number', start, end } as const }] : []),
    ...(typed.indexOf('#') === last ? [] : uriIn(`${typed.slice(0, last).replaceAll('#', '%23')}${typed.slice(last)}`)),
  ];
  return [...written, ...written.flatMap(percentDecoded), ...written.flatMap(withControls)];
}

function uriIn(typed: string): readonly Reading[] {
  try {
    return [parseUri(typed, () => false)];
  } catch (error) {
    if (isKebabError(error, 'invalid_input')) return []; // it may be a path that contains a `#`
    throw error;
  }
}

function percentDecoded({ path, ...place }: Reading): readonly Reading[] {
  try {
    const decoded = decodeURIComponent(path);
    return decoded === path ? [] : [{ path: decoded, ...place }];
  } catch {
    return []; // a percent sign that is not an escape
  }
}

/** A name with control characters is shown with their symbols. */
function withControls({ path, ...place }: Reading): readonly Reading[] {
  const meant = path.replaceAll(/[\u2400-\u241F]/g, (symbol) => String.fromCharCode(symbol.charCodeAt(0) - 0x2400));
  return meant === path ? [] : [{ path: meant, ...place }];
}

/** Editors and compilers write `path:12`; for a document with pages the number is the page. */
function placeOf({ start, end }: Numbers, { pages, workspacePath }: DocumentRow): UriFragment {
  if (pages.length === 0) return { kind: 'line', start, end };
  if (end === start) return { kind: 'page', page: start };
  throw invalidInput(`${workspacePath} has pages: name one of them, as in ${workspacePath}:${start}`, {
    field: 'path',
    value: `${start}-${end}`,
  });
}

/** The documents at a path: of every source that has it, or of the source whose folder contains it. */
async function documentsAt(
  store: PathStore,
  { sourceId, path }: SourcePath,
  { source, scope }: PathOptions,
): Promise<readonly DocumentRow[]> {
  if (sourceId !== null && source !== undefined && sourceId !== source) return [];
  const only = sourceId ?? source;
  const inSource = async (): Promise<readonly DocumentRow[]> => {
    for (const workspacePath of insideSource(path)) {
      const found =
        only === undefined
          ? await store.findByPath(workspacePath)
          : [await store.findDocument(only, workspacePath)].filter((row) => row !== null);
      if (found.length > 0) return found;
    }
    return [];
  };
  const inFolder = async (): Promise<readonly DocumentRow[]> => {
    if (sourceId !== null || scope === undefined) return [];
    for (const place of await sourcePathsOf(store, path, scope)) {
      if (source !== undefined && place.sourceId !== source) continue;
      const row = await store.findDocument(place.sourceId, place.path);
      if (row !== null) return [row];
    }
    return [];
  };
  const [first, second] = ANCHORED.test(path) ? [inFolder, inSource] : [inSource, inFolder];
  const found = await first();
  return found.length > 0 ? found : second();
}

/** The possible forms of a path relative to a source: with backslashes as part of names, or as slashes. Empty if it leads out. */
function insideSource(path: string): readonly string[] {
  try {
    return [...new Set([workspacePathOf(path), normalizeWorkspacePath(path)])];
  } catch (error) {
    if (isKebabError(error, 'invalid_input')) return [];
    throw error;
  }
}

/**
 * The relative paths of a local path in the folders of sources, innermost folder first; empty for such a folder itself. Links are resolved
 * if the path as typed does not exist.
 */
export async function sourcePathsOf(
  store: Pick<DocumentStore, 'indexedRoots'>,
  typed: string,
  scope: PathScope,
): Promise<readonly { readonly sourceId: string; readonly path: string }[]> {
  const folders = await foldersOf(store, scope);
  const file = resolve(scope.cwd, typed);
  const within = (path: string, rootOf: (root: string) => string) =>
    folders.flatMap(({ id, root }) => {
      const inside = relative(rootOf(root), path);
      const leadsOut = isAbsolute(inside) || inside === '..' || inside.startsWith(`..${sep}`);
      if (leadsOut) return [];
      return [{ sourceId: id, path: inside === '' ? '' : workspacePathOf(inside.split(sep).join('/')) }];
    });
  return [...within(file, (root) => root), ...within(realPath(file), realPath)];
}

/** The folders of sources, innermost first. */
async function foldersOf(
  store: Pick<DocumentStore, 'indexedRoots'>,
  { config }: PathScope,
): Promise<readonly SourceRoot[]> {
  const sources = await indexedSources(config, store);
  return [...sources.values()]
    .filter(({ connector }) => connector === 'fs')
    .toSorted((a, b) => b.root.length - a.root.length);
}

/** A path with links resolved; for a missing file, its folder is resolved as far as possible. */
function realPath(path: string): string {
  if (path.length > MAX_PATH_LENGTH) return path;
  const missing: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return join(realpathSync.native(folder), ...missing);
    } catch {
      if (folder === dirname(folder)) return path;
      missing.unshift(basename(folder));
    }
  }
}

const MIN_DIGITS = 6;
const ID_LENGTH = 32;
const SHOWN = 10;

/**
 * Completes an abbreviated id; a full id is looked up as well. Throws `invalid_input` for fewer than six digits, non-hex characters, and an
 * ambiguous prefix; `chunk_not_found` or `doc_not_found` when nothing matches.
 */
export async function resolveId(
  store: Pick<DocumentStore, 'findIds'>,
  kind: 'document' | 'chunk',
  text: string,
): Promise<string> {
  const prefix = text.trim().toLowerCase();
  const field = kind === 'chunk' ? 'chunk_id' : 'doc_id';
  if (!/^[0-9a-f]+$/.test(prefix) || prefix.length < MIN_DIGITS || prefix.length > ID_LENGTH)
    throw invalidInput(
      `${JSON.stringify(text)} is not an id: an id has ${ID_LENGTH} hex digits, of which the first ${MIN_DIGITS} suffice`,
      { field, value: text },
    );
  const ids = await store.findIds(kind, prefix, SHOWN);
  const [id] = ids;
  if (id === undefined) throw notFound(kind, prefix);
  if (ids.length === 1) return id;
  throw invalidInput(`several ${kind}s have an id that begins with ${prefix}`, {
    field,
    value: text,
    allowed: ids,
    hint: 'type more digits of the one you mean',
  });
}

/** The error for an unknown id. */
export function notFound(kind: 'document' | 'chunk', id: string): KebabError {
  if (kind === 'chunk')
    return new KebabError('chunk_not_found', `there is no chunk ${id}`, { details: { chunk_id: id } });
  return new KebabError('doc_not_found', `there is no document ${id}`, { details: { doc_id: id, path: null } });
}

/** The error for a path without a document. */
export function notFoundAt(path: string, hint?: string): KebabError<'doc_not_found'> {
  return new KebabError('doc_not_found', `there is no document at ${JSON.stringify(path)}`, {
    details: { doc_id: null, path },
    ...(hint === undefined ? {} : { hint }),
  });
}
