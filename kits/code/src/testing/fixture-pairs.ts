import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A source file and what its units are said to be. */
export interface FixturePair {
  /** The path below the folder of fixtures, which is the workspace path it is read under. */
  readonly path: string;
  readonly source: string;
  /** The expected list, as `listUnits` writes it. */
  readonly units: string;
}

const UNITS = '.units';

/** The pairs in a folder: `a.rs` with `a.rs.units` beside it. Throws for half a pair. */
export function fixturePairs(folder: URL): readonly FixturePair[] {
  const root = fileURLToPath(folder);
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/'))
    .toSorted();
  const sources = files.filter((file) => !file.endsWith(UNITS));
  if (sources.length * 2 !== files.length) throw new Error(`${root} holds a file without its pair`);
  return sources.map((path) => ({
    path,
    source: readFileSync(join(root, path), 'utf8'),
    units: readFileSync(join(root, path + UNITS), 'utf8'),
  }));
}
