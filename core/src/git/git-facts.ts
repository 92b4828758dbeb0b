import { type Stats, statSync } from 'node:fs';
import { dirname, join, basename, resolve } from 'node:path';
import { readRegularText } from '../files/read-regular-file.ts';

/** Facts about the repository that contains a file. */
export interface GitFacts {
  /** The name of the repository, the same in all of its work trees. Null only for a nameless top directory (`/`). */
  readonly repo: string | null;
  /** The checked-out branch; null when HEAD is detached. */
  readonly branch: string | null;
  /** The first 12 hex digits of the checked-out commit; null before the first one. */
  readonly commit: string | null;
}

/** Results by directory. One cache per run: a later commit is not noticed. */
export type GitFactsCache = Map<string, Promise<GitFacts | null>>;

/**
 * Finds the repository that contains an absolute directory; null outside of any. It reads git's files and does not need git: work trees and
 * submodules are resolved to their repository. Never throws; unreadable files count as missing. With a cache, each directory of a tree is
 * examined once.
 */
export function gitFactsFor(directory: string, cache: GitFactsCache = new Map()): Promise<GitFacts | null> {
  const known = cache.get(directory);
  if (known !== undefined) return known;
  const finding = findFacts(directory, cache);
  cache.set(directory, finding);
  return finding;
}

async function findFacts(directory: string, cache: GitFactsCache): Promise<GitFacts | null> {
  const workTree = gitWorkTreeAt(directory);
  if (workTree.kind === 'damaged') return null;
  if (workTree.kind === 'tree') return { repo: await gitRepositoryName(workTree), ...(await readGitHead(workTree)) };
  const parent = dirname(directory);
  return parent === directory ? null : gitFactsFor(parent, cache);
}

/** The checkout of a work tree. */
interface GitHead {
  /** Null when HEAD is detached or refers to something other than a branch. */
  readonly branch: string | null;
  /** The first 12 hex digits; null before the first commit. */
  readonly commit: string | null;
}

const COMMIT_DIGITS = 12;
/** A reference may refer to another one; git itself follows five. */
const MAX_HOPS = 5;
const BRANCHES = 'refs/heads/';
/** The content of HEAD when references are kept in a reftable, which only git reads. */
const TABLE = 'refs/heads/.invalid';

/** Reads HEAD and the reference it names, loose or packed. Never throws. */
async function readGitHead(tree: GitWorkTree): Promise<GitHead> {
  const head = parseReference(readSmallFile(join(tree.gitDir, 'HEAD')));
  if (head === null || head.kind === 'commit') return { branch: null, commit: head?.id ?? null };
  if (head.name === TABLE) return { branch: null, commit: null };
  const branch = head.name.startsWith(BRANCHES) ? head.name.slice(BRANCHES.length) : null;
  return { branch, commit: await commitOf(tree, head.name, MAX_HOPS) };
}

type Reference = { readonly kind: 'commit'; readonly id: string } | { readonly kind: 'name'; readonly name: string };

async function commitOf(tree: GitWorkTree, name: string, hops: number): Promise<string | null> {
  const loose =
    parseReference(readSmallFile(join(tree.gitDir, name))) ?? parseReference(readSmallFile(join(tree.commonDir, name)));
  if (loose?.kind === 'commit') return loose.id;
  if (loose?.kind === 'name') return hops > 0 ? commitOf(tree, loose.name, hops - 1) : null;
  const packed = `\n${readSmallFile(join(tree.commonDir, 'packed-refs')) ?? ''}\n`.replaceAll('\r\n', '\n');
  const at = packed.indexOf(` ${name}\n`);
  return at === -1 ? null : commitIn(packed.slice(packed.lastIndexOf('\n', at) + 1, at));
}

/** Parses the content of HEAD or of a loose reference: a commit, or the name of another reference. */
function parseReference(content: string | null): Reference | null {
  const text = content?.trim() ?? '';
  const name = /^ref:\s*(refs\/.+)$/.exec(text)?.[1];
  if (name !== undefined) return name.split(/[/\\]/).includes('..') ? null : { kind: 'name', name };
  const id = commitIn(text);
  return id === null ? null : { kind: 'commit', id };
}

function commitIn(text: string): string | null {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text) ? text.slice(0, COMMIT_DIGITS).toLowerCase() : null;
}

/**
 * The name of the repository of a work tree: its top directory, or that of the main work tree for a linked one. A repository without a main
 * work tree is named after its remote, else after its own folder.
 */
async function gitRepositoryName({ top, gitDir, commonDir }: GitWorkTree): Promise<string | null> {
  const main = basename(commonDir) === '.git' ? dirname(commonDir) : gitDir === commonDir ? top : null;
  const name = main === null ? '' : basename(main);
  if (name !== '') return name;
  return (await remoteName(commonDir)) ?? (main === null ? folderName(commonDir) : null);
}

/** `widgets` for `/srv/widgets.git`, and for `/srv/widgets/.bare`. */
function folderName(commonDir: string): string | null {
  const name = basename(commonDir).startsWith('.') ? basename(dirname(commonDir)) : basename(commonDir);
  return withoutSuffix(name);
}

/** The last part of the address of `origin`, else of the first remote. */
async function remoteName(commonDir: string): Promise<string | null> {
  const config = readSmallFile(join(commonDir, 'config')) ?? '';
  const remotes = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split('\n')) {
    if (/^\s*\[/.test(line)) remote = /^\s*\[remote "(.+)"\]/.exec(line)?.[1];
    const url = /^\s*url\s*=\s*(\S.*?)\s*$/.exec(line)?.[1];
    if (remote !== undefined && url !== undefined && !remotes.has(remote)) remotes.set(remote, url);
  }
  const [first] = remotes.values();
  const url = remotes.get('origin') ?? first;
  return withoutSuffix(
    url
      ?.replace(/[/\\]+$/, '')
      .split(/[/\\:]/)
      .at(-1) ?? '',
  );
}

function withoutSuffix(name: string): string | null {
  const bare = name.replace(/\.git$/, '');
  return bare === '' ? null : bare;
}

/** The directories of one work tree. Paths are absolute. */
export interface GitWorkTree {
  readonly kind: 'tree';
  /** The top directory of the work tree. */
  readonly top: string;
  /** Private to the work tree: contains HEAD. */
  readonly gitDir: string;
  /** Shared with the other work trees of the repository: branches, configuration. */
  readonly commonDir: string;
}

/** The role of a directory for git: the top of a work tree, one whose repository is gone, or none. */
type GitPlace = GitWorkTree | { readonly kind: 'damaged' } | { readonly kind: 'none' };

/** Whether a directory is the top of a work tree, according to its `.git`: a folder, or a file that points to one. */
export function gitWorkTreeAt(directory: string): GitPlace {
  const dotGit = join(directory, '.git');
  const kind = statOf(dotGit);
  if (kind?.isDirectory() === true) {
    // Like git, continue with the parent when the folder is not a repository.
    return readSmallFile(join(dotGit, 'HEAD')) === null ? { kind: 'none' } : treeOf(directory, dotGit);
  }
  if (kind?.isFile() !== true) return { kind: 'none' };
  const target = /^gitdir: (.+)$/m.exec(readSmallFile(dotGit) ?? '')?.[1]?.trimEnd();
  if (target === undefined) return { kind: 'damaged' };
  const gitDir = resolve(directory, target);
  return readSmallFile(join(gitDir, 'HEAD')) === null ? { kind: 'damaged' } : treeOf(directory, gitDir);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function treeOf(top: string, gitDir: string): GitWorkTree {
  const shared = readSmallFile(join(gitDir, 'commondir'))?.trim() ?? '';
  return { kind: 'tree', top, gitDir, commonDir: shared === '' ? gitDir : resolve(gitDir, shared) };
}

/** Far larger than any real list of references. */
const MAX_BYTES = 64 * 1_048_576;

/** The text of a regular file; null when it does not exist, cannot be read, or is larger than 64 MiB. */
function readSmallFile(path: string): string | null {
  try {
    return readRegularText(path, { maxBytes: MAX_BYTES });
  } catch {
    return null;
  }
}
