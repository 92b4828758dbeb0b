import { dirname } from 'node:path';
import { readGitHead } from './git-head.ts';
import { gitRepositoryName } from './git-repository-name.ts';
import { gitWorkTreeAt } from './git-work-tree.ts';

/** What is known of the repository that a file lies in. */
export interface GitFacts {
  /** The name of the repository, the same in all of its work trees. Null only for a nameless top directory (`/`). */
  readonly repo: string | null;
  /** The branch that is checked out; null when HEAD is detached. */
  readonly branch: string | null;
  /** The first 12 hex digits of the commit that is checked out; null before the first one. */
  readonly commit: string | null;
}

/** What was found, by directory. One for each run: a commit that is made later is not seen. */
export type GitFactsCache = Map<string, Promise<GitFacts | null>>;

/**
 * Tells in which repository a directory (absolute) lies; null outside of any. It reads git's files and needs no git:
 * work trees and submodules are followed to their repository. Never throws; what cannot be read is as if it were not
 * there. With a cache, a tree of directories costs one look at each.
 */
export function gitFactsFor(directory: string, cache: GitFactsCache = new Map()): Promise<GitFacts | null> {
  const known = cache.get(directory);
  if (known !== undefined) return known;
  const finding = findFacts(directory, cache);
  cache.set(directory, finding);
  return finding;
}

async function findFacts(directory: string, cache: GitFactsCache): Promise<GitFacts | null> {
  const found = await gitWorkTreeAt(directory);
  if (found.kind === 'damaged') return null;
  if (found.kind === 'tree') return { repo: await gitRepositoryName(found), ...(await readGitHead(found)) };
  const parent = dirname(directory);
  return parent === directory ? null : gitFactsFor(parent, cache);
}
