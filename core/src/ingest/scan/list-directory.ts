import { type BigIntStats, type Dirent, lstatSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SourceEntry, SourceFile } from '../../contracts/source-connector.ts';
import { isAbsence, storableNs } from '../../documents/locate-file.ts';
import { compareCodePoints } from '../../domain/code-point-order.ts';
import { mediaTypeOf } from '../../domain/media.ts';
import { systemReason } from '../../errors/classify-error.ts';

/** An unreadable entry, as a walk reports it. */
export type UnreadableEntry = Extract<SourceEntry, { kind: 'error' }>;

/** A file or directory in a directory, or a dangling link. */
export interface Child {
  readonly kind: 'file' | 'directory' | 'broken_link';
  readonly name: string;
  /** Its path inside the source, in NFC; that of a directory ends with a slash. */
  readonly path: string;
  readonly absolutePath: string;
  /** Already known if a link was followed; null for anything that is not a link. */
  readonly stat: BigIntStats | null;
  /** When the link changed, if it is a link to a file. */
  readonly linkChangedNs?: bigint | undefined;
}

/** A directory to list: its location on disk, and its path inside the source with a trailing slash (empty for the root). */
export interface Place {
  readonly absolutePath: string;
  readonly path: string;
}

/**
 * The entries of a directory, ordered such that walking it yields paths in code point order. A name that is not valid Unicode, or equal to
 * another after normalisation, is an error; devices, pipes and sockets are skipped, and so are links unless they are to be followed. Throws
 * when the directory cannot be read.
 */
export function listDirectory(place: Place, followSymlinks: boolean): readonly (Child | UnreadableEntry)[] {
  const listing = readdirSync(place.absolutePath, { withFileTypes: true });
  const invalid = listing.some((dirent) => dirent.name.includes('\uFFFD')) ? invalidNames(place) : new Set<string>();
  const children: (Child | UnreadableEntry)[] = [];
  for (const dirent of listing) {
    const child = invalid.has(dirent.name)
      ? misnamed(place.path + dirent.name, 'its name is not valid Unicode')
      : childOf(place, dirent, followSymlinks);
    if (child !== null) children.push(child);
  }
  return withoutTwins(inOrder(children));
}

/** Creates the entry for something unreadable. */
export function unreadable(workspacePath: string, error: unknown): UnreadableEntry {
  const reason = systemReason(error instanceof Error ? error.message : String(error));
  return { kind: 'error', workspacePath, message: `cannot read ${workspacePath}: ${reason}`, code: 'io_error' };
}

function childOf(place: Place, dirent: Dirent, followSymlinks: boolean): Child | UnreadableEntry | null {
  const { name } = dirent;
  const path = place.path + name.normalize('NFC');
  const absolutePath = `${place.absolutePath}/${name}`;
  if (dirent.isFile()) return { kind: 'file', name, path, absolutePath, stat: null };
  if (dirent.isDirectory()) return { kind: 'directory', name, path: `${path}/`, absolutePath, stat: null };
  if (dirent.isSymbolicLink() && !followSymlinks) return null;
  try {
    const stat = statSync(absolutePath, { bigint: true });
    if (stat.isFile()) {
      const linkChangedNs = dirent.isSymbolicLink() ? lstatSync(absolutePath, { bigint: true }).ctimeNs : undefined;
      return { kind: 'file', name, path, absolutePath, stat, linkChangedNs };
    }
    return stat.isDirectory() ? { kind: 'directory', name, path: `${path}/`, absolutePath, stat } : null;
  } catch (error) {
    return isAbsence(error) ? { kind: 'broken_link', name, path, absolutePath, stat: null } : unreadable(path, error);
  }
}

/** The names in a directory whose bytes are not UTF-8, in the form in which they are listed. */
function invalidNames(place: Place): ReadonlySet<string> {
  const names = readdirSync(place.absolutePath, { encoding: 'buffer' });
  const lossy = names.filter((name) => !Buffer.from(name.toString('utf8'), 'utf8').equals(name));
  return new Set(lossy.map((name) => name.toString('utf8')));
}

function inOrder(children: readonly (Child | UnreadableEntry)[]): readonly (Child | UnreadableEntry)[] {
  // Below U+D800 the order of code units equals the order of code points, and the engine's own comparison is much faster.
  const isPlain = !children.some((child) => /[\ud800-\uffff]/.test(orderOf(child)));
  const compare = isPlain ? (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0) : compareCodePoints;
  return children.toSorted((a, b) => compare(orderOf(a), orderOf(b)) || Number(isComposed(b)) - Number(isComposed(a)));
}

/** Whether a name is in the same Unicode form as its path: of two that differ only in form, this one becomes the document. */
function isComposed(child: Child | UnreadableEntry): boolean {
  return child.kind !== 'error' && child.name === child.name.normalize('NFC');
}

function withoutTwins(children: readonly (Child | UnreadableEntry)[]): readonly (Child | UnreadableEntry)[] {
  return children.map((child, i) => {
    const before = children[i - 1];
    const twins = child.kind !== 'error' && before !== undefined && orderOf(before) === child.path;
    return twins
      ? misnamed(child.path.replace(/\/$/, ''), 'another name there differs only in its Unicode form')
      : child;
  });
}

function misnamed(workspacePath: string, reason: string): UnreadableEntry {
  return { kind: 'error', workspacePath, message: `cannot take ${workspacePath}: ${reason}`, code: 'invalid_input' };
}

function orderOf(child: Child | UnreadableEntry): string {
  return child.kind === 'error' ? child.workspacePath : child.path;
}

const PLAIN_PATH = /^\/[\w./-]*$/;

/** Describes a file of a source, given its location on disk and its stat. */
export function sourceFile(workspacePath: string, absolutePath: string, stat: BigIntStats): SourceFile {
  return {
    kind: 'file',
    workspacePath,
    uri: fileUri(absolutePath),
    size: Number(stat.size),
    mtimeNs: storableNs(stat.mtimeNs),
    birthtimeMs: Number(stat.birthtimeMs),
    mediaType: mediaTypeOf(workspacePath),
  };
}

/** The `file:` URI of an absolute path. */
function fileUri(absolutePath: string): string {
  return PLAIN_PATH.test(absolutePath) ? `file://${absolutePath}` : pathToFileURL(absolutePath).href;
}

/** The absolute path of a `file:` URI. */
export function pathOfUri(uri: string): string {
  const path = uri.slice('file://'.length);
  return PLAIN_PATH.test(path) ? path : fileURLToPath(uri);
}
