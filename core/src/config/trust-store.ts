import path from 'node:path';
import { lstatSync, type Stats } from 'node:fs';
import { writeAtomically } from '../files/write-atomically.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { readRegularText } from '../files/read-regular-file.ts';

/** A project file in the state in which it was trusted. */
export interface TrustedFile {
  /** Real path. */
  readonly path: string;
  /** blake3 of its complete content, 64 hex digits. */
  readonly hash: string;
  /** The hashes of the plugins that it names by path, by absolute path; null for a missing one. */
  readonly plugins: Readonly<Record<string, string | null>>;
}

/** The path of the list of trusted files. */
export function trustStoreIn(stateDir: string): string {
  return path.join(stateDir, 'trust.json');
}

/**
 * Reads the list; a missing one is empty. Throws `io_error` for one that cannot be read or is malformed, and for one that other users could
 * have written.
 */
export function readTrusted(storeFile: string): readonly TrustedFile[] {
  return readOwnList(storeFile, {
    what: 'trusted files',
    hint: `remove ${storeFile}, then trust your project files again with \`kebab trust\``,
    empty: [],
    parse: entriesOf,
  });
}

/** The list with a file added or its hashes updated; sorted by path. */
export function withTrusted(files: readonly TrustedFile[], file: TrustedFile): readonly TrustedFile[] {
  return [...withoutTrusted(files, file.path), file].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The list without a file. */
export function withoutTrusted(files: readonly TrustedFile[], realPath: string): readonly TrustedFile[] {
  return files.filter((file) => file.path !== realPath);
}

/** Replaces the list atomically. */
export function writeTrusted(storeFile: string, files: readonly TrustedFile[]): void {
  const entries = Object.fromEntries(files.map(({ path: file, hash, plugins }) => [file, { hash, plugins }]));
  writeAtomically(storeFile, `${JSON.stringify({ schema_version: 1, files: entries }, null, 2)}\n`);
}

function entriesOf(parsed: unknown): readonly TrustedFile[] {
  const files = (parsed as { readonly files?: unknown } | null)?.files;
  if (typeof files !== 'object' || files === null) throw new TypeError('it has no "files"');
  return Object.entries(files).map(([file, entry]: [string, unknown]) => {
    const { hash, plugins } = (entry ?? {}) as { readonly hash?: unknown; readonly plugins?: unknown };
    if (!isHash(hash) || !isHashes(plugins)) throw new TypeError(`${file} has no hash`);
    return { path: file, hash, plugins };
  });
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function isHashes(value: unknown): value is Readonly<Record<string, string | null>> {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((hash) => hash === null || isHash(hash));
}

const MAX_BYTES = 16 * 1_048_576;

/** How to read a list of user decisions. */
interface OwnList<T> {
  /** The name of the list in messages: `trusted files`. */
  readonly what: string;
  /** The remedy for an unusable list. */
  readonly hint: string;
  /** The value for a missing list. */
  readonly empty: T;
  /** Throws for a malformed list. */
  readonly parse: (json: unknown) => T;
}

/**
 * Reads a list of user decisions. Throws `io_error` for one that cannot be read or is malformed, and for one that other users could have
 * written.
 */
export function readOwnList<T>(file: string, { what, hint, empty, parse }: OwnList<T>): T {
  try {
    refuseForeignHands(file);
    return parse(JSON.parse(readRegularText(file, { maxBytes: MAX_BYTES })));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return empty;
    const kind = (error as NodeJS.ErrnoException).code ?? 'EINVAL';
    const reason = (error as Error).message;
    throw new KebabError('io_error', `${file} cannot be used as the list of ${what}: ${reason}`, {
      details: { kind, path: file, cause: String(error) },
      cause: error,
      hint,
    });
  }
}

/** A file that others can write does not prove what the user decided. Windows has no such permission bits. */
function refuseForeignHands(file: string): void {
  const me = process.getuid?.();
  if (me === undefined) return;
  for (const place of [file, path.dirname(file)]) {
    const stats = lstatSync(place);
    if (stats.isSymbolicLink() && place === file) throw new Error('it is a symbolic link');
    if (isWritableByOthers(stats)) throw new Error(`every user of this machine may write to ${place}`);
    if (stats.uid !== me && stats.uid !== 0) throw new Error(`${place} belongs to another user`);
  }
}

/** A sticky folder is writable by everyone, but its files are protected. */
function isWritableByOthers(stats: Stats): boolean {
  const isSticky = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
  return !stats.isSymbolicLink() && (stats.mode & 0o002) !== 0 && !isSticky;
}
