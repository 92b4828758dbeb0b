import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSmallFile } from './read-small-file.ts';

/** Where git keeps what belongs to one work tree. Paths are absolute. */
export interface GitWorkTree {
  readonly kind: 'tree';
  /** The top directory of the work tree. */
  readonly top: string;
  /** What is its own: HEAD. */
  readonly gitDir: string;
  /** What it shares with the other work trees of the repository: branches, configuration. */
  readonly commonDir: string;
}

/** What a directory is to git: the top of a work tree, one whose repository is gone, or nothing. */
export type GitPlace = GitWorkTree | { readonly kind: 'damaged' } | { readonly kind: 'none' };

/** Tells whether a directory is the top of a work tree, by its `.git`: a folder, or a file that names one. */
export async function gitWorkTreeAt(directory: string): Promise<GitPlace> {
  const dotGit = join(directory, '.git');
  const kind = await stat(dotGit).catch(() => undefined);
  if (kind?.isDirectory() === true) {
    // Like git, look further up when the folder is not a repository.
    return (await readSmallFile(join(dotGit, 'HEAD'))) === null ? { kind: 'none' } : treeOf(directory, dotGit);
  }
  if (kind?.isFile() !== true) return { kind: 'none' };
  const target = /^gitdir: (.+)$/m.exec((await readSmallFile(dotGit)) ?? '')?.[1]?.trimEnd();
  if (target === undefined) return { kind: 'damaged' };
  const gitDir = resolve(directory, target);
  return (await readSmallFile(join(gitDir, 'HEAD'))) === null ? { kind: 'damaged' } : treeOf(directory, gitDir);
}

async function treeOf(top: string, gitDir: string): Promise<GitWorkTree> {
  const shared = (await readSmallFile(join(gitDir, 'commondir')))?.trim() ?? '';
  return { kind: 'tree', top, gitDir, commonDir: shared === '' ? gitDir : resolve(gitDir, shared) };
}
