import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { TreeWalk } from '../../../src/ingest/scan/walk-tree.ts';
import { TemporaryTree } from '../temporary-tree.ts';

const hasGit = spawnSync('git', ['--version']).status === 0;

const RULES = [
  '*.log',
  '!important.log',
  '/top.md',
  'docs/*.md',
  '**/cache/',
  'a/**/z.md',
  'b/**',
  '!b/keep.md',
  'c/*',
  '!c/sub/',
  'd[0-9].md',
  'e?.md',
  String.raw`f\ .md`,
  String.raw`\!bang.md`,
  'g.md   ',
  'h/',
  '[[:alpha:]]x.md',
  '!docs/one.md',
];

/** Each with one more rule file in a directory of its own. */
const FILES =
  'top.md sub/top.md x.log important.log sub/important.log docs/one.md docs/two.md docs/p/q.md cache/1.md p/cache/2.md ' +
  'p/cache2/3.md a/z.md a/m/n/z.md b/keep.md b/x/y.md c/no.md c/sub/yes.md d1.md dx.md ee.md e.md !bang.md g.md h ' +
  'i/h/in.md qx.md 1x.md';

describe('the walk', () => {
  it.skipIf(!hasGit)('includes exactly the files that git does not ignore (skipped where git is not installed)', () => {
    const nested = { 'sub/.gitignore': '/top.md\n!*.log\nimportant.log\n', 'i/.gitignore': '!h/\n' };
    const tree = new TemporaryTree({
      ...Object.fromEntries([...FILES.split(' '), 'f .md'].map((file) => [file, ''])),
      ...nested,
      '.gitignore': RULES.join('\n'),
    });
    try {
      execFileSync('git', ['init', '-q'], { cwd: tree.root });
      const args = ['-c', 'core.excludesFile=', '-c', 'core.quotePath=false', 'ls-files', '-o', '--exclude-standard'];
      const git = execFileSync('git', args, { cwd: tree.root, encoding: 'utf8' }).trim().split('\n');
      const options = { followSymlinks: true, leaveOut: [] };
      const walk = new TreeWalk({ root: tree.root, include: [], exclude: [] }, options);
      const files = [...walk.entries()].filter(({ kind }) => kind === 'file').map(({ workspacePath }) => workspacePath);
      expect(files.toSorted()).toEqual(git.toSorted());
    } finally {
      tree.remove();
    }
  });
});
