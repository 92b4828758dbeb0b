import path from 'node:path';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { Ports } from '../../ports.ts';
import { findPattern, searchedFolders, type RipgrepOutput, type SearchedFolder } from './ripgrep.ts';

/** What is printed of the files of the sources. */
export interface GrepLines {
  readonly pattern: string;
  /** Further arguments of ripgrep. */
  readonly args: readonly string[];
  /** Only the folders of these sources. */
  readonly source?: readonly string[] | undefined;
  /** The folder that paths are printed relative to, where they are below it. */
  readonly cwd: string;
}

/** Yields what ripgrep prints of every file of the sources, indexed or not, in the order of their paths; those that are not UTF-8 may be last. */
export async function* grepLines(
  ports: Pick<Ports, 'documents' | 'config'>,
  { pattern, args, source, cwd }: GrepLines,
  { signal }: AbortOptions = {},
): AsyncGenerator<RipgrepOutput> {
  const folders = await searchedFolders(ports, source);
  yield* findPattern({ pattern, args: ['--sort=path', ...args], paths: near(cwd, folders), cwd, signal });
}

/** Paths as the shell knows them: relative below the working directory, otherwise absolute. */
function near(here: string, folders: readonly SearchedFolder[]): readonly string[] {
  if (folders.length === 1 && folders[0]?.root === here) return [];
  return folders.map(({ root }) => {
    const inside = path.relative(here, root);
    if (inside === '') return '.';
    return inside.startsWith('..') || path.isAbsolute(inside) ? root : inside;
  });
}
