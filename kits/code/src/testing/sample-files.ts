import { readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One file of a sample. */
export interface SampledFile {
  /** Below the folder that was sampled, `/` between segments. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Larger files are not parsed. */
const MAX_BYTES = 1_048_576;

/**
 * At most `limit` files with one of the extensions (`.ts`), spread evenly over a folder in the order of their paths; links
 * are not followed. None when the folder is absent or holds no such file.
 */
export function sampleFiles(
  folder: URL,
  { extensions, limit }: { readonly extensions: readonly string[]; readonly limit: number },
): readonly SampledFile[] {
  const root = fileURLToPath(folder);
  const paths = [...pathsBelow(root, extensions)];
  const step = Math.max(1, paths.length / limit);
  return paths
    .filter((_path, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
    .filter((path) => statSync(path).size <= MAX_BYTES)
    .map((path) => ({ path: path.slice(root.length).replaceAll('\\', '/'), bytes: readFileSync(path) }));
}

function* pathsBelow(folder: string, extensions: readonly string[]): Generator<string> {
  for (const name of namesIn(folder)) {
    const path = join(folder, name.text);
    if (name.isFolder) yield* pathsBelow(path, extensions);
    else if (extensions.includes(extname(name.text))) yield path;
  }
}

function namesIn(folder: string): readonly { readonly text: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() || entry.isDirectory())
      .map((entry) => ({ text: entry.name, isFolder: entry.isDirectory() }))
      .toSorted((one, other) => (one.text < other.text ? -1 : 1));
  } catch {
    return [];
  }
}

/** The file without the middle third of its bytes, as an unfinished edit leaves it: parsers meet errors in it. */
export function damaged({ path, bytes }: SampledFile): SampledFile {
  const third = Math.floor(bytes.length / 3);
  return { path, bytes: Buffer.concat([bytes.subarray(0, third), bytes.subarray(2 * third)]) };
}
