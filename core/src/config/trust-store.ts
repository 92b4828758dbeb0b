import { readFileSync } from 'node:fs';
import path from 'node:path';
import { KebabError } from '../errors/kebab-error.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** A project file as it was when it was trusted. */
export interface TrustedFile {
  /** Real path. */
  readonly path: string;
  /** blake3 of the whole content, 64 hex digits. */
  readonly hash: string;
}

/** Where the trusted files are listed. */
export function trustStoreIn(stateDir: string): string {
  return path.join(stateDir, 'trust.json');
}

/** Reads the list; a missing one is empty. Throws `io_error` for one that cannot be read or is not such a list. */
export function readTrusted(storeFile: string): readonly TrustedFile[] {
  try {
    return entriesOf(JSON.parse(readFileSync(storeFile, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    const kind = (error as NodeJS.ErrnoException).code ?? 'EINVAL';
    throw new KebabError('io_error', `${storeFile} is not a readable list of trusted files`, {
      details: { kind, path: storeFile, cause: String(error) },
      cause: error,
      hint: `remove ${storeFile}, then trust your project files again with \`kebab trust\``,
    });
  }
}

/** The list with a file added, or its hash renewed; sorted by path. */
export function withTrusted(files: readonly TrustedFile[], file: TrustedFile): readonly TrustedFile[] {
  return [...withoutTrusted(files, file.path), file].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The list without a file. */
export function withoutTrusted(files: readonly TrustedFile[], realPath: string): readonly TrustedFile[] {
  return files.filter((file) => file.path !== realPath);
}

/** Replaces the list in one step. */
export function writeTrusted(storeFile: string, files: readonly TrustedFile[]): void {
  const hashes = Object.fromEntries(files.map((file) => [file.path, file.hash]));
  writeFileAtomically(storeFile, `${JSON.stringify({ schema_version: 1, files: hashes }, null, 2)}\n`);
}

function entriesOf(parsed: unknown): readonly TrustedFile[] {
  const files = (parsed as { readonly files?: unknown } | null)?.files;
  if (typeof files !== 'object' || files === null) throw new TypeError('it has no "files"');
  return Object.entries(files).map(([file, hash]: [string, unknown]) => {
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) throw new TypeError(`${file} has no hash`);
    return { path: file, hash };
  });
}
