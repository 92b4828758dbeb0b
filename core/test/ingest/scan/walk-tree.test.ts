import { symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceEntry } from '../../../src/contracts/source-connector.ts';
import { TreeWalk, type WalkOptions } from '../../../src/ingest/scan/walk-tree.ts';
import { TemporaryTree } from '../temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree();
});
afterEach(() => tree.remove());

function walk(options: Partial<WalkOptions> = {}) {
  const scope = { root: tree.root, include: ['**/*'], exclude: [] };
  return [...new TreeWalk(scope, { followSymlinks: true, leaveOut: [], ...options }).entries()];
}

const paths = (entries: readonly SourceEntry[]): readonly string[] =>
  entries.map(({ kind, workspacePath }) => (kind === 'file' ? workspacePath : `${workspacePath} (${kind})`));

const isRoot = process.getuid?.() === 0;

describe('a walk of a folder', () => {
  it('orders paths by code point, a folder at the position of its content', () => {
    tree.put({ 'a/b.md': '', 'a.md': '', 'a-b.md': '', 'a/😀.md': '', 'a/\uFB01.md': '', 'B.md': '', 'a/b/c.md': '' });
    expect(paths(walk())).toEqual(['B.md', 'a-b.md', 'a.md', 'a/b.md', 'a/b/c.md', 'a/\uFB01.md', 'a/😀.md']);
  });

  it('describes a file as it is on disk', () => {
    tree.put({ 'sub/a.md': 'four' });
    tree.age('sub/a.md');
    expect(walk()).toMatchObject([
      {
        kind: 'file',
        workspacePath: 'sub/a.md',
        uri: `file://${tree.root}/sub/a.md`,
        size: 4,
        mtimeNs: BigInt(Date.parse('2026-01-01T00:00:00Z')) * 1_000_000n,
        mediaType: { kind: 'markdown' },
      },
    ]);
  });

  it('yields normalised paths for names in any Unicode form, and a URI that reaches the file', () => {
    tree.put({ [`${'노트'.normalize('NFD')}/${'한글 #1%.md'.normalize('NFD')}`]: 'text' });
    const [file] = walk();
    expect(file).toMatchObject({ workspacePath: '노트/한글 #1%.md', size: 4 });
    expect(file?.kind === 'file' && decodeURIComponent(new URL(file.uri).pathname).normalize('NFC')).toBe(
      `${tree.root}/노트/한글 #1%.md`,
    );
  });

  it('reports two names that differ only in their Unicode form', () => {
    tree.put({ '가.md': 'composed', ['가.md'.normalize('NFD')]: 'decomposed' });
    expect(paths(walk())).toEqual(['가.md', '가.md (error)']);
  });

  it('accepts names of 255 bytes', () => {
    const name = `${'ㄱ'.repeat(84)}.md`;
    tree.put({ [name]: '' });
    expect(paths(walk())).toEqual([name]);
  });

  it('reports a name that is not valid Unicode, and accepts one that contains U+FFFD', () => {
    tree.put({ 'good.md': '', 'real\uFFFD.md': '' });
    writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/bad`), Buffer.of(0xff), Buffer.from('.md')]), '');
    expect(paths(walk())).toEqual(['bad\uFFFD.md (error)', 'good.md', 'real\uFFFD.md']);
  });

  it('enters each real folder once, whatever links lead to it', () => {
    tree.put({ 'notes/a.md': '', 'notes/self': { link: '.' }, 'notes/up': { link: '..' }, 'z/b.md': '' });
    symlinkSync('z', tree.path('again'));
    symlinkSync('loop', tree.path('loop'));
    expect(paths(walk())).toEqual(['loop (skipped)', 'notes/a.md', 'z/b.md']);
  });

  it('walks a folder by its own path, even if a link to it comes first', () => {
    tree.put({ 'real/one.md': '', alias: { link: 'real' } });
    expect(paths(walk())).toEqual(['real/one.md']);
    const scope = { root: tree.root, include: [], exclude: ['alias/**'] };
    const excluded = [...new TreeWalk(scope, { followSymlinks: true, leaveOut: [] }).entries()];
    expect(paths(excluded)).toEqual(['real/one.md']);
  });

  it('skips links that lead out of the folder, to a folder or a file, and follows them when allowed', () => {
    tree.put({
      'secret/one.md': '',
      'kb/a.md': '',
      'kb/out': { link: '../secret' },
      'kb/key.md': { link: '/etc/hosts' },
    });
    tree.put({ 'kb/by-way.md': { link: 'out/one.md' }, 'kb/b.md': { link: '../kb/a.md' } });
    const scope = { root: tree.path('kb'), include: [], exclude: [] };
    const options = { followSymlinks: true, leaveOut: [] };
    const strict = [...new TreeWalk(scope, options).entries()];
    expect(paths(strict)).toEqual(['a.md', 'b.md', 'by-way.md (skipped)', 'key.md (skipped)', 'out (skipped)']);
    expect(strict).toContainEqual({ kind: 'skipped', workspacePath: 'out', counter: 'unfollowed_link' });
    const led = [...new TreeWalk(scope, { ...options, linksOutside: true }).entries()];
    expect(paths(led)).toEqual(['a.md', 'b.md', 'by-way.md', 'key.md', 'out/one.md']);
  });

  it('treats a root that is reached through a link as that folder', () => {
    tree.put({ 'real/a.md': '', 'real/b.md': { link: 'a.md' }, 'real/sub/c.md': '', root: { link: 'real' } });
    const scope = { root: tree.path('root'), include: [], exclude: [] };
    const entries = [...new TreeWalk(scope, { followSymlinks: true, leaveOut: [] }).entries()];
    expect(paths(entries)).toEqual(['a.md', 'b.md', 'sub/c.md']);
  });

  it('reads no ignore file through a link that leads out of the folder', () => {
    tree.put({ rules: '*.md\n', 'kb/a.md': '', 'kb/.gitignore': { link: '../rules' } });
    const scope = { root: tree.path('kb'), include: [], exclude: [] };
    const entries = [...new TreeWalk(scope, { followSymlinks: true, leaveOut: [] }).entries()];
    expect(paths(entries)).toEqual(['.gitignore (skipped)', 'a.md']);
  });

  it('clamps the time of a file to the range of the database', () => {
    tree.put({ 'far.md': '', 'old.md': '' });
    utimesSync(tree.path('far.md'), 13_000_000_000, 13_000_000_000);
    utimesSync(tree.path('old.md'), new Date(-2e12), new Date(-2e12));
    const times = walk().map((entry) => (entry.kind === 'file' ? entry.mtimeNs : null));
    expect(times).toEqual([2n ** 63n - 1n, -2_000_000_000_000_000_000n]);
  });

  it('prefers the composed one of two names that differ only in their Unicode form, as the path of the document', () => {
    for (const name of ['e\u0301.md', '\u00e9.md']) writeFileSync(tree.path(name), name);
    const entries = walk();
    expect(entries.map(({ kind }) => kind)).toEqual(['file', 'error']);
    expect(entries[0]).toMatchObject({ size: Buffer.byteLength('\u00e9.md') });
  });

  it('follows links to files only when allowed', () => {
    tree.put({ 'a.md': 'text', 'link.md': { link: 'a.md' }, 'broken.md': { link: 'nowhere.md' } });
    expect(paths(walk())).toEqual(['a.md', 'broken.md (skipped)', 'link.md']);
    expect(paths(walk({ followSymlinks: false }))).toEqual(['a.md']);
  });

  it('skips the excluded folders, however it reaches them', () => {
    tree.put({ '_external/a.md': '', 'b.md': '', 'c/link': { link: '../_external' } });
    expect(paths(walk({ leaveOut: [tree.path('_external'), tree.path('not-there')] }))).toEqual(['b.md']);
  });

  it('reports a missing root, or one that is not a folder, as one error', () => {
    tree.put({ 'file.md': '' });
    for (const root of ['missing', 'file.md']) {
      const scope = { root: tree.path(root), include: [], exclude: [] };
      const entries = [...new TreeWalk(scope, { followSymlinks: true, leaveOut: [] }).entries()];
      expect(entries).toMatchObject([{ kind: 'error', workspacePath: '.', code: 'io_error' }]);
    }
  });

  it.skipIf(isRoot)(
    'reports an unreadable folder and continues (skipped for the superuser, who may read everything)',
    () => {
      tree.put({ 'a.md': '', 'locked/b.md': '', 'z.md': '' });
      tree.mode('locked', 0o000);
      try {
        expect(paths(walk())).toEqual(['a.md', 'locked (error)', 'z.md']);
      } finally {
        tree.mode('locked', 0o755);
      }
    },
  );
});
