import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitFactsFor } from '../../src/git/git-facts.ts';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const OTHER = 'fedcba9876543210fedcba9876543210fedcba98';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'git-facts-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes files below the temporary root; a path that ends in `/` is a folder. */
function lay(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(full, content);
  }
}

const at = (path: string): ReturnType<typeof gitFactsFor> => gitFactsFor(join(root, path));

describe('the repository that a directory lies in', () => {
  it('is the work tree around it: name, branch, first 12 digits of the commit', async () => {
    lay({
      'widgets/.git/HEAD': 'ref: refs/heads/feature/x\n',
      'widgets/.git/refs/heads/feature/x': `${COMMIT}\n`,
      'widgets/src/deep/': '',
    });
    const facts = { repo: 'widgets', branch: 'feature/x', commit: '0123456789ab' };
    expect(await at('widgets')).toEqual(facts);
    expect(await at('widgets/src/deep')).toEqual(facts);
  });

  it('is null outside of any', async () => {
    lay({ 'plain/deep/': '' });
    expect(await at('plain/deep')).toBeNull();
    expect(await at('plain/no-such-folder')).toBeNull();
  });

  it('is named after its top directory, whatever its remote', async () => {
    lay({
      'mine/.git/HEAD': 'ref: refs/heads/main\n',
      'mine/.git/config': '[remote "origin"]\n\turl = git@example.org:acme/widgets.git\n',
    });
    expect(await at('mine')).toEqual({ repo: 'mine', branch: 'main', commit: null });
  });

  it('finds the commit among packed references, and prefers a loose one', async () => {
    lay({
      'a/.git/HEAD': 'ref: refs/heads/main\n',
      'a/.git/packed-refs': `# pack-refs with: peeled fully-peeled sorted\n${OTHER} refs/heads/main2\n${COMMIT} refs/heads/main\n^${OTHER}\n${OTHER} refs/tags/refs/heads/main\n`,
    });
    expect(await at('a')).toMatchObject({ commit: '0123456789ab' });
    lay({ 'a/.git/refs/heads/main': OTHER });
    expect(await at('a')).toMatchObject({ commit: 'fedcba987654' });
  });

  it('has no branch when HEAD is detached', async () => {
    lay({ 'a/.git/HEAD': `${COMMIT.toUpperCase()}\n`, 'b/.git/HEAD': `${COMMIT}${COMMIT.slice(0, 24)}\n` });
    expect(await at('a')).toEqual({ repo: 'a', branch: null, commit: '0123456789ab' });
    expect(await at('b')).toEqual({ repo: 'b', branch: null, commit: '0123456789ab' });
  });

  it('has no commit before the first one', async () => {
    lay({ 'a/.git/HEAD': 'ref: refs/heads/main\n' });
    expect(await at('a')).toEqual({ repo: 'a', branch: 'main', commit: null });
  });

  it('follows a reference to another one, but not in a circle', async () => {
    lay({
      'a/.git/HEAD': 'ref: refs/heads/alias\n',
      'a/.git/refs/heads/alias': 'ref: refs/heads/main\n',
      'a/.git/refs/heads/main': COMMIT,
      'b/.git/HEAD': 'ref: refs/heads/x\n',
      'b/.git/refs/heads/x': 'ref: refs/heads/y\n',
      'b/.git/refs/heads/y': 'ref: refs/heads/x\n',
    });
    expect(await at('a')).toMatchObject({ branch: 'alias', commit: '0123456789ab' });
    expect(await at('b')).toMatchObject({ branch: 'x', commit: null });
  });

  it('ignores references that only git can read', async () => {
    lay({ 'a/.git/HEAD': 'ref: refs/heads/.invalid\n', 'a/.git/reftable/': '' });
    expect(await at('a')).toEqual({ repo: 'a', branch: null, commit: null });
  });

  it('reads no file outside of the repository for a reference', async () => {
    lay({ 'a/.git/HEAD': 'ref: refs/heads/../../../secret\n', secret: COMMIT });
    expect(await at('a')).toEqual({ repo: 'a', branch: null, commit: null });
  });
});

describe('work trees and submodules', () => {
  it('resolves a linked work tree to its repository, with its own branch', async () => {
    lay({
      'widgets/.git/HEAD': 'ref: refs/heads/main\n',
      'widgets/.git/refs/heads/main': OTHER,
      'widgets/.git/refs/heads/fix': COMMIT,
      'widgets/.git/worktrees/widgets-fix/HEAD': 'ref: refs/heads/fix\n',
      'widgets/.git/worktrees/widgets-fix/commondir': '../..\n',
      'widgets-fix/.git': `gitdir: ${join(root, 'widgets/.git/worktrees/widgets-fix')}\n`,
      'widgets-fix/src/': '',
    });
    expect(await at('widgets-fix/src')).toEqual({ repo: 'widgets', branch: 'fix', commit: '0123456789ab' });
  });

  it('treats a submodule as a repository of its own, named after its directory', async () => {
    lay({
      'super/.git/HEAD': 'ref: refs/heads/main\n',
      'super/.git/modules/libs/sub/HEAD': `${COMMIT}\n`,
      'super/libs/sub/.git': 'gitdir: ../../.git/modules/libs/sub\n',
      'super/libs/sub/src/': '',
    });
    expect(await at('super/libs/sub/src')).toEqual({ repo: 'sub', branch: null, commit: '0123456789ab' });
    expect(await at('super/libs')).toMatchObject({ repo: 'super', branch: 'main' });
  });

  it.each([
    ['[remote "up"]\n\turl = /srv/other\n[remote "origin"]\n\turl = ssh://example.org/acme/widgets.git/\n', 'widgets'],
    ['[core]\n\tbare = true\n[remote "up"]\n  url=git@example.org:gadgets.git\n', 'gadgets'],
    ['[core]\n\turl = not-a-remote\n', 'store'],
  ])('names the work tree of a bare repository after its remote, else its folder (%j)', async (config, repo) => {
    lay({
      'store.git/config': config,
      'store.git/HEAD': 'ref: refs/heads/main\n',
      'store.git/worktrees/w/HEAD': `${COMMIT}\n`,
      'store.git/worktrees/w/commondir': '../..\n',
      'w/.git': 'gitdir: ../store.git/worktrees/w\n',
    });
    expect(await at('w')).toEqual({ repo, branch: null, commit: '0123456789ab' });
  });

  it('is null where a .git file names a repository that is gone, and searches further up past a folder that is not a repository', async () => {
    lay({
      'a/.git/HEAD': `${COMMIT}\n`,
      'a/gone/.git': 'gitdir: ../nowhere\n',
      'a/odd/.git': 'something else\n',
      'a/empty/.git/': '',
    });
    expect(await at('a/gone')).toBeNull();
    expect(await at('a/odd')).toBeNull();
    expect(await at('a/empty')).toMatchObject({ repo: 'a' });
  });
});

describe('a repeated query', () => {
  it('examines each directory once per cache', async () => {
    lay({ 'a/.git/HEAD': `${COMMIT}\n`, 'a/b/': '', 'a/c/': '' });
    const cache = new Map();
    const first = await gitFactsFor(join(root, 'a/b'), cache);
    rmSync(join(root, 'a/.git'), { recursive: true });
    expect(await gitFactsFor(join(root, 'a/c'), cache)).toBe(first);
    expect(first).toMatchObject({ repo: 'a' });
    expect(await gitFactsFor(join(root, 'a/c'))).toBeNull();
  });
});
