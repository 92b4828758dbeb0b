import fc from 'fast-check';
import ignore from 'ignore';
import { afterEach, describe, expect, it } from 'vitest';
import type { SourceEntry } from '../../../src/contracts/source-connector.ts';
import type { MediaType } from '../../../src/domain/media.ts';
import { RulesHere, skipByContent, skipBySize, type SkipLimits } from '../../../src/ingest/scan/ignore-rules.ts';
import { TreeWalk } from '../../../src/ingest/scan/walk-tree.ts';
import { TemporaryTree, type TreeContent } from '../temporary-tree.ts';

const PIECES = 'a|b|ab|.md|*|?|**|/|/**/|**/|[ab]|[!a]|[a-c]|[]b]|[[:alpha:]]|\\*|\\a| |\\ |!|#|[|***'.split('|');
const RULE = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));

const PATH = fc
  .array(fc.constantFrom('a', 'b', 'ab', 'c', 'a.md', '.md', '*', 'aab', 'a b', '#a', '!a', ' a'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((names) => names.join('/'));

/** Whether rules exclude a file, evaluated folder by folder as in a walk. */
function isIgnored(rules: readonly string[], path: string): boolean {
  const names = path.split('/');
  let here = RulesHere.of(rules);
  for (const name of names.slice(0, -1)) {
    if (here.opinion(name, true) === 'ignore') return true;
    here = here.inside(name);
  }
  return here.opinion(names.at(-1) ?? '', false) === 'ignore';
}

const trees: TemporaryTree[] = [];
afterEach(() => {
  for (const tree of trees.splice(0)) tree.remove();
});

function walk(content: TreeContent, scope: { include?: readonly string[]; exclude?: readonly string[] } = {}) {
  const tree = new TemporaryTree(content);
  trees.push(tree);
  const options = { followSymlinks: true, leaveOut: [] };
  const walked = new TreeWalk({ root: tree.root, include: ['**/*'], exclude: [], ...scope }, options);
  return summary([...walked.entries()]);
}

/** Files by path, skipped entries as `path: counter`; the ignore files themselves are omitted. */
function summary(entries: readonly SourceEntry[]): readonly string[] {
  return entries
    .filter(({ workspacePath }) => !/\.(git|kebab)ignore$/.test(workspacePath))
    .map((entry) => (entry.kind === 'skipped' ? `${entry.workspacePath}: ${entry.counter}` : entry.workspacePath));
}

describe('ignore rules', () => {
  it.each([
    ['is larger than 1 MiB', 'x\n'.repeat(600_000), 'bytes, more than the 1048576 allowed'],
    ['has a line of 40,000 characters', `a.md\n${'x'.repeat(40_000)}\n`, 'line 2 has 40000 characters'],
  ])('are rejected as one error when a file %s, and the walk continues without them', (_, text, reason) => {
    const tree = new TemporaryTree({ 'sub/.gitignore': text, 'sub/a.md': '', 'b.md': '' });
    trees.push(tree);
    const options = { followSymlinks: true, leaveOut: [] };
    const entries = [...new TreeWalk({ root: tree.root, include: [], exclude: [] }, options).entries()];
    expect(entries.map(({ workspacePath }) => workspacePath)).toEqual(['b.md', 'sub/.gitignore', 'sub/a.md']);
    expect(entries[1]).toMatchObject({ kind: 'error', code: 'io_error', message: expect.stringContaining(reason) });
  });

  it('are rejected when those of the folders above have eight million characters', () => {
    const text = `${'x'.repeat(4000)}\n`.repeat(250);
    const folders = Array.from({ length: 12 }, (_, depth) => 'd/'.repeat(depth));
    const tree = Object.fromEntries(folders.map((folder) => [`${folder}.gitignore`, text]));
    trees.push(new TemporaryTree({ ...tree, [`${folders.at(-1)}a.md`]: '' }));
    const options = { followSymlinks: true, leaveOut: [] };
    const walked = new TreeWalk({ root: trees.at(-1)?.root ?? '', include: [], exclude: [] }, options);
    const entries = [...walked.entries()];
    const refused = entries.filter(({ kind }) => kind === 'error').map(({ workspacePath }) => workspacePath);
    expect(refused).toEqual(folders.slice(8).map((folder) => `${folder}.gitignore`));
    expect(entries.at(-1)?.workspacePath).toBe(`${folders.at(-1)}a.md`);
  });

  it('hold deep inside a tree of folders, whatever number of double asterisks they have', () => {
    const deep = 'a/'.repeat(300);
    const rules = `${'**/a/'.repeat(600)}*.zz\n${'/**/a'.repeat(120)}/*.md\n${'*a'.repeat(1000)}b\n`;
    expect(walk({ '.gitignore': rules, [`${deep}kept.txt`]: '', [`${deep}out.md`]: '' })).toEqual([
      `${deep}kept.txt`,
      `${deep}out.md: gitignore`,
    ]);
  });

  it('are found among tens of thousands of others', () => {
    const rules = Array.from({ length: 25_000 }, (_, i) => `/dir${i}/x\n*.e${i}\nname${i}`).join('\n');
    const content = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}.md`, '']));
    expect(walk({ ...content, '.gitignore': rules, 'x.e24999': '', name5: '', 'dir7/x': '', 'dir7/y': '' })).toEqual([
      'dir7/x: gitignore',
      'dir7/y',
      ...Object.keys(content).toSorted(),
      'name5: gitignore',
      'x.e24999: gitignore',
    ]);
  });

  it('agree with the ignore package, which uses regular expressions, on names', () => {
    fc.assert(
      fc.property(fc.array(RULE, { minLength: 1, maxLength: 4 }), fc.array(PATH, { minLength: 1 }), (rules, paths) => {
        const theirs = ignore({ ignorecase: false }).add(rules.join('\n'));
        expect(paths.map((path) => [path, isIgnored(rules, path)])).toEqual(
          paths.map((path) => [path, theirs.ignores(path)]),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('exclude what the built-in list names, directories as one entry each', () => {
    const tree = {
      '.git/config': '',
      'node_modules/a/b.md': '',
      'target/CACHEDIR.TAG': '',
      'target/c.md': '',
      '__pycache__/d.py': '',
      '.venv/e.py': '',
      'venv/pyvenv.cfg': '',
      'venv/f.py': '',
      'env/pyvenv.cfg': '',
      'env/g.py': '',
      '.DS_Store': '',
      '._h.md': '',
      '~$report.docx': '',
      '.~lock.sums.csv#': '',
      '~drafts.md': '',
      'kebab.toml': '',
      'sub/kebab.yaml': '',
      'env.md': '',
      'targets/i.md': '',
    };
    expect(walk(tree)).toEqual([
      '.DS_Store: builtin_blacklist',
      '._h.md: builtin_blacklist',
      '.git: builtin_blacklist',
      '.venv: builtin_blacklist',
      '.~lock.sums.csv#: builtin_blacklist',
      '__pycache__: builtin_blacklist',
      'env.md',
      'env: builtin_blacklist',
      'kebab.toml: builtin_blacklist',
      'node_modules: builtin_blacklist',
      'sub/kebab.yaml: builtin_blacklist',
      'target: builtin_blacklist',
      'targets/i.md',
      'venv: builtin_blacklist',
      '~$report.docx: builtin_blacklist',
      '~drafts.md',
    ]);
  });

  it('walk hidden files and folders', () => {
    expect(walk({ '.notes/a.md': '', '.b.md': '' })).toEqual(['.b.md', '.notes/a.md']);
  });

  it.each([
    ['notes', { 'target/shopping.md': '', 'target/2031/march.md': '' }, ['target/2031/march.md', 'target/shopping.md']],
    ['letters of a town', { 'env/harbour.md': '', 'env/air/noise.md': '' }, ['env/air/noise.md', 'env/harbour.md']],
    ['a place', { 'travel/venv/lake.txt': '', 'travel/a.md': '' }, ['travel/a.md', 'travel/venv/lake.txt']],
    ['the output of Maven', { 'pom.xml': '', 'target/a.md': '' }, ['pom.xml', 'target: builtin_blacklist']],
    [
      'the output of sbt',
      { 'x/plugins.sbt': '', 'x/target/a.md': '' },
      ['x/plugins.sbt', 'x/target: builtin_blacklist'],
    ],
    ['the output of Cargo', { 'target/CACHEDIR.TAG': '', 'target/a.md': '' }, ['target: builtin_blacklist']],
    ['built archives', { 'target/loom-1.jar': '', 'target/a.md': '' }, ['target: builtin_blacklist']],
    ['an environment', { 'env/pyvenv.cfg': '', 'env/bin/x.py': '' }, ['env: builtin_blacklist']],
    ['an environment of conda', { 'env/conda-meta/x.json': '', 'env/a.py': '' }, ['env: builtin_blacklist']],
    ['scripts of Windows', { 'venv/Scripts/x.py': '', 'venv/a.py': '' }, ['venv: builtin_blacklist']],
  ])('decide by what lies in or beside a folder with the name of a build folder: %s', (_name, tree, expected) => {
    expect(walk(tree as TreeContent)).toEqual(expected);
  });

  it('let a .kebabignore re-include what the built-in list or a .gitignore excludes', () => {
    const tree = {
      '.gitignore': 'drafts/\n*.tmp.md\n',
      '.kebabignore': '!target/\n!drafts/\n',
      'pom.xml': '',
      'target/a.md': '',
      'target/node_modules/b.md': '',
      'drafts/c.md': '',
      'drafts/d.tmp.md': '',
    };
    expect(walk(tree)).toEqual([
      'drafts/c.md',
      'drafts/d.tmp.md: gitignore',
      'pom.xml',
      'target/a.md',
      'target/node_modules: builtin_blacklist',
    ]);
  });

  it('let a .kebabignore override a .gitignore further down', () => {
    const tree = { '.kebabignore': 'secret.md\n', 'sub/.gitignore': '!secret.md\n', 'sub/secret.md': '' };
    expect(walk(tree)).toEqual(['sub/secret.md: kebabignore']);
  });

  it('never re-include what the configuration excludes', () => {
    const tree = { '.kebabignore': '!private/\n!*.md\n', 'private/a.md': '', 'b.md': '' };
    expect(walk(tree, { exclude: ['private/'] })).toEqual(['b.md', 'private: excluded']);
  });

  it('count an entry under the first of built-in, .gitignore, .kebabignore, configuration that excludes it alone', () => {
    const all = { '.gitignore': 'node_modules/\nx.md\ny.md\n', '.kebabignore': 'node_modules/\nx.md\nz.md\n' };
    const tree = { ...all, 'node_modules/a.md': '', 'x.md': '', 'y.md': '', 'z.md': '', 'w.md': '' };
    const scope = { exclude: ['node_modules/', '*.md'] };
    expect(walk(tree, scope)).toEqual([
      'node_modules: builtin_blacklist',
      'w.md: excluded',
      'x.md: gitignore',
      'y.md: gitignore',
      'z.md: kebabignore',
    ]);
  });

  it('include only what the configuration includes', () => {
    const tree = { 'a.md': '', 'b.txt': '', 'docs/c.txt': '', 'docs/d.md': '' };
    expect(walk(tree, { include: ['*.md', 'docs/c.txt'] })).toEqual([
      'a.md',
      'b.txt: excluded',
      'docs/c.txt',
      'docs/d.md',
    ]);
    expect(walk(tree, { include: ['docs/'] })).toEqual([
      'a.md: excluded',
      'b.txt: excluded',
      'docs/c.txt',
      'docs/d.md',
    ]);
    expect(walk(tree, { exclude: ['docs/**', 'b.*'] })).toEqual([
      'a.md',
      'b.txt: excluded',
      'docs/c.txt: excluded',
      'docs/d.md: excluded',
    ]);
  });

  it('are case-sensitive and match names in any Unicode form', () => {
    const tree = { '.gitignore': 'README.md\n한글.md\n', 'readme.md': '', ['한글.md'.normalize('NFD')]: '' };
    expect(walk(tree)).toEqual(['readme.md', '한글.md: gitignore']);
  });

  it('support ignore files with a byte order mark and Windows line ends', () => {
    expect(walk({ '.gitignore': '\uFEFFa.md\r\nb.md\r\n', 'a.md': '', 'b.md': '', 'c.md': '' })).toEqual([
      'a.md: gitignore',
      'b.md: gitignore',
      'c.md',
    ]);
  });
});

const code: MediaType = { kind: 'code', lang: 'rust' };
const markdown: MediaType = { kind: 'markdown' };
const pdf: MediaType = { kind: 'pdf' };
const limits = {
  indexing: { maxFileMb: 1, extractMemoryMb: 1024 },
  code: { maxFileBytes: 1000, maxFileLines: 4, skipGenerated: true },
} as SkipLimits;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('skipBySize', () => {
  it.each([
    [1_048_576, markdown, null],
    [1_048_577, markdown, 'size_exceeded'],
    [1_048_577, pdf, 'size_exceeded'],
    [1000, code, null],
    [1001, code, 'size_exceeded'],
    [0, code, null],
  ] as const)('returns for %d bytes of %o: %s', (size, media, counter) => {
    expect(skipBySize(size, media, limits)).toBe(counter);
  });

  it('limits code as other text where the configuration sets no limit for it', () => {
    const free = { ...limits, code: { maxFileBytes: null, maxFileLines: null, skipGenerated: true } } as SkipLimits;
    expect(skipBySize(1_048_576, code, free)).toBe(null);
    expect(skipBySize(1_048_577, code, free)).toBe('size_exceeded');
    expect(skipByContent(bytes('x\n'.repeat(20_000)), code, free)).toBe(null);
  });

  it('limits text to what fits into the memory of an extraction', () => {
    const small = { ...limits, indexing: { maxFileMb: 100, extractMemoryMb: 64 } } as SkipLimits;
    expect([skipBySize(2 ** 21, markdown, small), skipBySize(2 ** 21 + 1, markdown, small)]).toEqual([
      null,
      'size_exceeded',
    ]);
    expect(skipBySize(2 ** 26, pdf, small)).toBe(null);
  });
});

describe('skipByContent', () => {
  it.each([
    ['a code file at the line limit', code, 'a\nb\nc\nd\n', null],
    ['one line too many', code, 'a\nb\nc\nd\ne', 'size_exceeded'],
    ['many lines of prose', markdown, 'a\n'.repeat(100), null],
    ['one NUL byte in text', markdown, 'a\0b', null],
    ['one NUL byte in code', code, 'int a;\n/* \0 */\nint b;\n', null],
    ['paths that NUL bytes separate', markdown, 'notes/a-long-name.md\0'.repeat(50), null],
    ['coloured output of a terminal with a NUL byte', markdown, `\u001B[31mred\u001B[0m\n\0`.repeat(20), null],
    ['words of two bytes each', markdown, 'a\0b\0c\0d\0\u00013\0\u0002', 'binary'],
    [
      'compressed data',
      code,
      Uint8Array.from({ length: 4000 }, (_, at) => (at * at * 31 + (at >> 3)) & 0xf7),
      'binary',
    ],
    ['a program', code, Uint8Array.from({ length: 9000 }, (_, at) => (at % 3 === 0 ? 0x45 : 0)), 'binary'],
    ['NUL bytes in a medium of its own', pdf, '\0\0\0\0', null],
    ['NUL bytes after the first 8 KiB', markdown, `${'x'.repeat(8192)}${'\0'.repeat(99)}`, null],
    ['a UTF-16 mark before NUL bytes', markdown, Uint8Array.of(0xff, 0xfe, 0x41, 0), null],
    ['UTF-16 without a byte order mark', markdown, Buffer.from('# Notes\nfrom Windows\n', 'utf16le'), null],
    ['an empty file', code, '', null],
  ] as const)('classifies %s', (_name, media, content, counter) => {
    expect(skipByContent(typeof content === 'string' ? bytes(content) : content, media, limits)).toBe(counter);
  });
});
