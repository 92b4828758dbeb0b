import { join } from 'node:path';
import type { GitWorkTree } from './git-work-tree.ts';
import { readSmallFile } from './read-small-file.ts';

/** What is checked out in a work tree. */
export interface GitHead {
  /** Null when HEAD is detached or names something that is no branch. */
  readonly branch: string | null;
  /** The first 12 hex digits; null before the first commit. */
  readonly commit: string | null;
}

const COMMIT_DIGITS = 12;
/** A reference may name another; git itself follows five. */
const MAX_HOPS = 5;
const BRANCHES = 'refs/heads/';
/** What stands in HEAD when references are kept in a table that only git reads. */
const TABLE = 'refs/heads/.invalid';

/** Reads HEAD and what it names, loose or packed. Never throws. */
export async function readGitHead(tree: GitWorkTree): Promise<GitHead> {
  const head = parseReference(await readSmallFile(join(tree.gitDir, 'HEAD')));
  if (head === null || head.kind === 'commit') return { branch: null, commit: head?.id ?? null };
  if (head.name === TABLE) return { branch: null, commit: null };
  const branch = head.name.startsWith(BRANCHES) ? head.name.slice(BRANCHES.length) : null;
  return { branch, commit: await commitOf(tree, head.name, MAX_HOPS) };
}

type Reference = { readonly kind: 'commit'; readonly id: string } | { readonly kind: 'name'; readonly name: string };

async function commitOf(tree: GitWorkTree, name: string, hops: number): Promise<string | null> {
  const loose =
    parseReference(await readSmallFile(join(tree.gitDir, name))) ??
    parseReference(await readSmallFile(join(tree.commonDir, name)));
  if (loose?.kind === 'commit') return loose.id;
  if (loose?.kind === 'name') return hops > 0 ? commitOf(tree, loose.name, hops - 1) : null;
  const packed = `\n${(await readSmallFile(join(tree.commonDir, 'packed-refs'))) ?? ''}\n`.replaceAll('\r\n', '\n');
  const at = packed.indexOf(` ${name}\n`);
  return at === -1 ? null : commitIn(packed.slice(packed.lastIndexOf('\n', at) + 1, at));
}

/** Reads the content of HEAD or of a loose reference: a commit, or the name of another reference. */
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
