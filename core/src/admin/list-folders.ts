import type { AbortOptions } from '../contracts/contribution.ts';
import type { AskedFilters } from '../domain/query.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Ports } from '../ports.ts';
import type { DocListBrief } from '../wire/index.ts';
import { type ListPage, readPage } from './list-docs.ts';

/** How many documents one page looks at. */
const MAX_LOOKED_AT = 20_000;
/** Characters that the names of all documents may take before folders are folded: 20,000 tokens. */
const MAX_NAMED_CHARS = 80_000;

/**
 * One page of documents by folder, in order: by their names, and where these would be too many, with folders folded into the number of
 * documents below them, so that one page covers as much as it can. With a limit, nothing is folded. `maxTokens` bounds the folders; at
 * least one entry is always included. Errors as those of `listDocuments`.
 */
export async function listFolders(
  ports: Pick<Ports, 'documents' | 'config' | 'clock'>,
  typedFilters: AskedFilters = {},
  page: ListPage = {},
  { signal }: AbortOptions = {},
): Promise<DocListBrief> {
  throwIfCancelled(signal, 'list docs');
  const { documents, total, offset, room, cursorAt } = await readPage(ports, typedFilters, page, MAX_LOOKED_AT);
  const places = documents.map(({ sourceId, workspacePath: path }) => formatSourcePath({ sourceId, path }));
  const named = foldTree(places, Infinity);
  const isLarge = offset + places.length < total || sizeOf(named) > MAX_NAMED_CHARS;
  const entries = page.limit === undefined && isLarge ? foldTree(places, room) : named;
  const shown = entries.slice(0, countWithin(entries, room));
  const next = offset + shown.reduce((sum, { documents: count }) => sum + count, 0);
  return {
    schema_version: 'doc_list_brief.v1',
    folders: foldersOf(shown),
    total,
    next_cursor: next < total ? cursorAt(next) : null,
  };
}

/** A file, or a folded folder, which has no name and stands for all documents below it. */
interface TreeEntry {
  readonly folder: string;
  readonly name: string | null;
  readonly documents: number;
}

/** A folder, its path ending in a slash, and the places below it, in order. */
interface TreeFolder {
  readonly path: string;
  readonly places: readonly string[];
}

/**
 * The files and folders of a tree, in order. Folders are unfolded level by level as long as what is in them fits in so many characters;
 * the first one always is.
 */
function foldTree(places: readonly string[], room: number): readonly TreeEntry[] {
  const root = { path: '', places };
  const unfolded = new Map<TreeFolder, readonly (TreeEntry | TreeFolder)[]>();
  const queue: TreeFolder[] = [root];
  let left = room - sizeOf([asEntry(root)]);
  for (const folder of queue) {
    const inside = insideOf(folder);
    const size = sizeOf(inside.map(asEntry)) - sizeOf([asEntry(folder)]);
    if (size > left && folder !== root) continue;
    left -= size;
    unfolded.set(folder, inside);
    for (const part of inside) if ('places' in part) queue.push(part);
  }
  const entriesOf = (part: TreeEntry | TreeFolder): readonly TreeEntry[] =>
    'places' in part ? (unfolded.get(part)?.flatMap(entriesOf) ?? [asEntry(part)]) : [part];
  return entriesOf(root);
}

function asEntry(part: TreeEntry | TreeFolder): TreeEntry {
  return 'places' in part ? { folder: part.path, name: null, documents: part.places.length } : part;
}

/** The files and folders directly in a folder. Places below one folder follow each other. */
function insideOf({ path, places }: TreeFolder): readonly (TreeEntry | TreeFolder)[] {
  const inside: (TreeEntry | TreeFolder)[] = [];
  let below: string[] = [];
  for (const place of places) {
    const end = place.indexOf('/', path.length) + 1;
    const last = inside.at(-1);
    if (end === 0) inside.push({ folder: path, name: place.slice(path.length), documents: 1 });
    else if (last !== undefined && 'places' in last && place.startsWith(last.path)) below.push(place);
    else inside.push({ path: place.slice(0, end), places: (below = [place]) });
  }
  return inside;
}

/** Characters of JSON that entries take, each folder once. */
function sizeOf(entries: readonly TreeEntry[]): number {
  return sizesOf(entries).reduce((sum, size) => sum + size, 0);
}

function sizesOf(entries: readonly TreeEntry[]): readonly number[] {
  const seen = new Set<string>();
  return entries.map(({ folder, name, documents }) => {
    if (name === null) return JSON.stringify({ folder, files: [], documents }).length + 1;
    const head = seen.has(folder) ? 0 : JSON.stringify({ folder, files: [] }).length + 1;
    seen.add(folder);
    return head + JSON.stringify(name).length + 1;
  });
}

/** How many entries fit in so many characters; at least one. */
function countWithin(entries: readonly TreeEntry[], room: number): number {
  let left = room;
  const tooMany = sizesOf(entries).findIndex((size) => (left -= size) < 0);
  return tooMany === -1 ? entries.length : Math.max(1, tooMany);
}

interface ShownFolder {
  readonly folder: string;
  readonly files: string[];
  readonly documents?: number;
}

function foldersOf(entries: readonly TreeEntry[]): readonly ShownFolder[] {
  const folders = new Map<string, ShownFolder>();
  for (const { folder, name, documents } of entries) {
    const shown = folders.get(folder) ?? { folder, files: [], ...(name === null ? { documents } : {}) };
    folders.set(folder, shown);
    if (name !== null) shown.files.push(name);
  }
  return [...folders.values()];
}
