import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { KebabError } from '../errors/kebab-error.ts';
import { readRegularText } from '../files/read-regular-file.ts';

const MAX_BYTES = 16 * 1_048_576;

/** How a list of what the user decided is read. */
interface OwnList<T> {
  /** What it lists, as a message names it: `trusted files`. */
  readonly what: string;
  /** What to do about one that cannot be used. */
  readonly hint: string;
  /** A missing one. */
  readonly empty: T;
  /** Throws for what is not such a list. */
  readonly parse: (json: unknown) => T;
}

/**
 * Reads a list of what the user decided. Throws `io_error` for one that cannot be read or is not such a list, and for one that
 * other users could have written.
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

/** What others may write to is no evidence of what the user decided. Windows has no such bits. */
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

/** A sticky folder is writable by everyone, but its files stay their owners'. */
function isWritableByOthers(stats: Stats): boolean {
  const isSticky = stats.isDirectory() && (stats.mode & 0o1000) !== 0;
  return !stats.isSymbolicLink() && (stats.mode & 0o002) !== 0 && !isSticky;
}
