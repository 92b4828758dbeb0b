import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { TreeWalk } from '../../../src/ingest/scan/walk-tree.ts';
import type { GitFiles } from '../../../src/schema/kind-settings.ts';
import { TemporaryTree, type TreeContent } from '../temporary-tree.ts';

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

/** The files that git does not ignore, below a directory; the configuration of whoever runs the test does not count. */
function gitFiles(directory: string, env: Readonly<Record<string, string>> = {}): readonly string[] {
  const args = ['-c', 'core.quotePath=false', 'ls-files', '-co', '--exclude-standard'];
  return run(directory, args, env).split('\n').filter(Boolean).toSorted();
}

function run(directory: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];
  const own = {
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: '/nonexistent',
    XDG_CONFIG_HOME: '/nonexistent',
  };
  const options = { cwd: directory, encoding: 'utf8', env: { PATH: process.env['PATH'], ...own, ...env } } as const;
  return execFileSync('git', [...author, ...args], options);
}

function walkedFiles(root: string, git?: GitFiles): readonly string[] {
  const walk = new TreeWalk({ root, include: [], exclude: [] }, { followSymlinks: true, leaveOut: [], git });
  const entries = [...walk.entries()].filter(({ kind }) => kind === 'file');
  return entries.map(({ workspacePath }) => workspacePath).toSorted();
}

let emptyGit: TemporaryTree | undefined;

/** The `.git` of a repository without files: copying it is much quicker than starting git for each of some sixty trees. */
function emptyRepository(): string {
  if (emptyGit === undefined) {
    emptyGit = new TemporaryTree();
    run(emptyGit.root, ['init', '-q', '--template=']);
    mkdirSync(emptyGit.path('.git/info'));
  }
  return emptyGit.path('.git');
}
afterAll(() => emptyGit?.remove());

/** Runs a test in a folder with a git repository. */
function inRepository(content: TreeContent, test: (tree: TemporaryTree) => void): void {
  const tree = new TemporaryTree(content);
  try {
    cpSync(emptyRepository(), tree.path('.git'), { recursive: true });
    test(tree);
  } finally {
    tree.remove();
  }
}

describe.skipIf(!hasGit)('the walk, compared with git (skipped where git is not installed)', () => {
  it('includes exactly the files that git does not ignore', () => {
    const nested = { 'sub/.gitignore': '/top.md\n!*.log\nimportant.log\n', 'i/.gitignore': '!h/\n' };
    const files = Object.fromEntries([...FILES.split(' '), 'f .md'].map((file) => [file, '']));
    inRepository({ ...files, ...nested, '.gitignore': RULES.join('\n') }, ({ root }) => {
      expect(walkedFiles(root)).toEqual(gitFiles(root));
    });
  });

  it('counts the bytes of names, not their characters', () => {
    const names = ['é.md', 'ü.txt', '가.md', 'ab.md', 'a가b.log', '😀', 'naïve.c', 'e.md'];
    const files = Object.fromEntries(names.map((file) => [file, '']));
    for (const rule of [
      '?.md',
      '??.md',
      '???.md',
      '????',
      '[é].md',
      '[é][é].md',
      'a???b.log',
      'na??ve.c',
      '*ï*',
      '[^a-z]*',
      '[\u00e0-\u00ff]*',
    ])
      inRepository({ ...files, '.gitignore': `${rule}\n` }, ({ root }) => {
        expect(walkedFiles(root), rule).toEqual(gitFiles(root));
      });
  });

  it('reads the rules of the repository and of the folders above the source', () => {
    const content = {
      '.gitignore': 'gen/\n*.skip\n/top.md\nsub/only.md\nsub/deep/*.tmp\n!sub/keep.skip\n',
      'sub/.gitignore': '!*.skip\nown.md\n',
      'sub/gen/x.md': '',
      'sub/a.skip': '',
      'sub/keep.skip': '',
      'sub/top.md': '',
      'sub/only.md': '',
      'sub/own.md': '',
      'sub/local.md': '',
      'sub/deep/a.tmp': '',
      'sub/deep/b.md': '',
      'sub/deep/own.md': '',
      'other/local.md': '',
    };
    inRepository(content, (tree) => {
      tree.put({ '.git/info/exclude': 'local.md\n!other/local.md\n' });
      for (const folder of ['', 'sub', 'sub/deep', 'other']) {
        const root = tree.path(folder);
        expect(walkedFiles(root), folder).toEqual(gitFiles(root));
      }
    });
  });

  it.each([
    ['the default file', {}, { 'config/git/ignore': '*.log\n' }],
    [
      'a named file',
      { 'home/.gitconfig': '[user]\n\tname = a\n[core]\n\texcludesFile = ~/rules\n' },
      { 'home/rules': '*.log\n' },
    ],
    [
      'the later of two',
      {
        'config/git/config': '[core]\nexcludesfile = /nowhere\n',
        'home/.gitconfig': '[Core]\n  ExcludesFile = "~/rules" # mine\n',
      },
      { 'home/rules': '*.log\n' },
    ],
    [
      'one that is switched off',
      { 'home/.gitconfig': '[core]\n\texcludesFile =\n' },
      { 'config/git/ignore': '*.log\n' },
    ],
    [
      'one of another section',
      { 'home/.gitconfig': '[other]\n\texcludesFile = ~/rules\n' },
      { 'home/rules': '*.log\n' },
    ],
  ])("follows the user's excludes: %s", (_title, config, rules) => {
    const user = new TemporaryTree({ ...config, ...rules });
    try {
      const home = user.path('home');
      const git = {
        home,
        configs: [user.path('config/git/config'), user.path('home/.gitconfig')],
        ignore: user.path('config/git/ignore'),
      };
      const args = { HOME: home, XDG_CONFIG_HOME: user.path('config') };
      inRepository({ 'a.log': '', 'b.md': '', 'sub/c.log': '', 'sub/.gitignore': '!c.log\n' }, ({ root }) => {
        const options = {
          cwd: root,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', ...args },
        } as const;
        const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], options)
          .trim()
          .split('\n')
          .toSorted();
        expect(walkedFiles(root, git)).toEqual(listed);
      });
    } finally {
      user.remove();
    }
  });

  it('leaves out another work tree of a repository inside the source, whatever its place, but not a submodule or a repository', () => {
    const other = new TemporaryTree({ 'lib.md': '' });
    try {
      for (const args of [
        ['init', '-q'],
        ['add', '-A'],
        ['commit', '-qm', 'a'],
      ])
        run(other.root, args);
      inRepository({ 'a.md': '', '.gitignore': '*.log\n' }, (tree) => {
        for (const args of [
          ['submodule', '--quiet', 'add', other.root, 'module'],
          ['add', '-A'],
          ['commit', '-qm', 'a'],
        ])
          run(tree.root, args);
        run(tree.root, ['worktree', 'add', '-q', 'trees/x', '-b', 'x']);
        tree.put({ 'module/note.log': '', 'own/b.md': '', 'own/c.log': '' });
        run(tree.path('own'), ['init', '-q']);
        const visible = walkedFiles(tree.root).filter((file) => !file.includes('.git'));
        expect(visible).toEqual(['a.md', 'module/lib.md', 'module/note.log', 'own/b.md', 'own/c.log']);
        expect(walkedFiles(tree.path('trees/x')).filter((file) => !file.includes('.git'))).toEqual(['a.md']);
        expect(walkedFiles(tree.path('trees'))).toContain('x/a.md');
      });
    } finally {
      other.remove();
    }
  });

  it('agrees on rules and trees of every kind', () => {
    const random = randomNumbers();
    const pick = (from: string): string => from.split(' ')[random(from.split(' ').length)] ?? '';
    const name = (): string => pick('a b ab lib out a.md b.md c.log é.md x.tmp .hid');
    const rule = (): string => {
      const path = Array.from({ length: 1 + random(3) }, () =>
        pick('a b ab lib out a.md *.md *.log * ** ?.md [ab] [!a]* .* é* *b* x.t?p'),
      );
      return `${pick('! / - - - -').replace('-', '')}${path.join('/')}${random(3) === 0 ? '/' : ''}`;
    };
    for (let round = 0; round < 40; round++) {
      const content: Record<string, string> = {};
      for (let at = 0; at < 14; at++) {
        const path = Array.from({ length: 1 + random(3) }, name).join('/');
        const isFree = Object.keys(content).every(
          (other) => !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`),
        );
        if (isFree) content[path] = '';
      }
      const folders = [...new Set(Object.keys(content).map((path) => path.split('/').slice(0, -1).join('/')))];
      const rules = (): string => Array.from({ length: 1 + random(4) }, rule).join('\n');
      for (const folder of folders.slice(0, 1 + random(3)))
        content[folder === '' ? '.gitignore' : `${folder}/.gitignore`] = rules();
      const excluded = rules();
      inRepository(content, (tree) => {
        tree.put({ '.git/info/exclude': excluded });
        expect(walkedFiles(tree.root), JSON.stringify({ content, excluded })).toEqual(gitFiles(tree.root));
      });
    }
  });
});

/** Random integers below a bound, from a linear congruential generator. */
function randomNumbers(): (bound: number) => number {
  let state = 42;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * bound);
  };
}
