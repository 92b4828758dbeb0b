import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isKebabError } from '../../src/errors/kebab-error.ts';
import { isDraftName, refuseLinks, writeAtomically } from '../../src/files/write-atomically.ts';
import { TemporaryTree } from '../ingest/temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree({ 'mine.txt': 'mine', 'outside/keep.txt': 'keep' });
});
afterEach(() => tree.remove());

/** The path that an error names. */
function refused(action: () => void): string | null {
  try {
    action();
  } catch (error) {
    if (isKebabError(error, 'io_error') && error.details.kind === 'ELOOP') return error.details.path;
    throw error;
  }
  return null;
}

function failureOf(action: () => void): NodeJS.ErrnoException {
  try {
    action();
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  throw new Error('it did not fail');
}

describe('writeAtomically', () => {
  it.skipIf(process.platform === 'win32')('names the file that there is no space for, and leaves no part of it', () => {
    const file = tree.path('new/file.txt');
    const module = new URL('../../src/files/write-atomically.ts', import.meta.url).href;
    const register = new URL('../../../scripts/register-ts.mjs', import.meta.url).href;
    const program = `import { writeAtomically } from ${JSON.stringify(module)};
      try {
        writeAtomically(${JSON.stringify(file)}, 'text');
      } catch ({ code, path, message }) {
        console.log(JSON.stringify({ code, path, message }));
      }`;
    const command = 'ulimit -f 0; exec "$0" --import "$1" --input-type=module --eval "$2"';
    const { stdout } = spawnSync('bash', ['-c', command, process.execPath, register, program], {
      encoding: 'utf8',
      env: { ...process.env, VITEST_WORKER_ID: '1' },
    });
    expect(JSON.parse(stdout)).toEqual({
      code: 'EFBIG',
      path: file,
      message: `EFBIG: file too large, write '${file}'`,
    });
    expect(readdirSync(tree.path('new'))).toEqual([]);
  });

  it('creates the folder and replaces the existing file, leaving nothing else behind', () => {
    const file = tree.path('a/b/file.txt');
    writeAtomically(file, 'old');
    writeAtomically(file, Buffer.from('new'));
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(statSync(file).mode & 0o777).toBe(0o644);
    expect(readdirSync(path.dirname(file))).toEqual(['file.txt']);
  });

  it('gives the file the requested mode', () => {
    writeAtomically(tree.path('secret'), 'x', { mode: 0o600 });
    expect(statSync(tree.path('secret')).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing behind when it fails', () => {
    mkdirSync(tree.path('taken/inside'), { recursive: true });
    const before = readdirSync(tree.root);
    expect(() => writeAtomically(tree.path('taken'), 'x')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(tree.root)).toEqual(before);
  });

  it('names the file when it fails, not the temporary file', () => {
    mkdirSync(tree.path('taken/inside'), { recursive: true });
    const failure = failureOf(() => writeAtomically(tree.path('taken'), 'x'));
    expect(failure).toMatchObject({ path: tree.path('taken'), syscall: 'rename' });
    expect(failure.message).not.toContain('.tmp');
  });

  it.skipIf(process.getuid?.() === 0)('names a folder in which no file can be created', () => {
    mkdirSync(tree.path('closed'), { mode: 0o500 });
    const failure = failureOf(() => writeAtomically(tree.path('closed/a'), 'x'));
    expect(failure).toMatchObject({ code: 'EACCES', path: tree.path('closed') });
  });

  it('replaces a link rather than write to its target', () => {
    symlinkSync(tree.path('mine.txt'), tree.path('file'));
    writeAtomically(tree.path('file'), 'new');
    expect([readFileSync(tree.path('file'), 'utf8'), readFileSync(tree.path('mine.txt'), 'utf8')]).toEqual([
      'new',
      'mine',
    ]);
  });

  it.each([
    ['a file', { file: 'theirs' }],
    ['a link', { file: { link: 'mine.txt' } }],
  ])('leaves %s in place when it may not replace it', (_what, content) => {
    tree.put(content);
    const before = readFileSync(tree.path('file'), 'utf8');
    expect(() => writeAtomically(tree.path('file'), 'new', { replace: false })).toThrow('EEXIST');
    expect(readFileSync(tree.path('file'), 'utf8')).toBe(before);
  });

  it('gives its temporary file a random name, so that nothing can be planted under it', () => {
    const names = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const folder = tree.path(`full-${n}`);
      mkdirSync(path.join(folder, 'file', 'inside'), { recursive: true });
      try {
        writeAtomically(path.join(folder, 'file'), 'x', { replace: true });
      } catch (error) {
        names.add(path.basename(((error as Error).cause as NodeJS.ErrnoException).path ?? ''));
      }
    }
    expect(names.size).toBe(3);
    expect([...names].filter((name) => !isDraftName(name))).toEqual([]);
  });

  it('rejects links in a folder that others write to', () => {
    tree.put({
      'work/note': { link: '../mine.txt' },
      'work/out': { link: '../outside' },
      'work/gone': { link: 'nowhere' },
    });
    const within = tree.path('work');
    for (const [file, named] of [
      ['note', 'note'],
      ['gone', 'gone'],
      ['out/keep.txt', 'out'],
      ['out/new/deep.txt', 'out'],
      ['gone/new.txt', 'gone'],
    ] as const)
      expect(refused(() => writeAtomically(path.join(within, file), 'new', { within }))).toBe(path.join(within, named));
    expect(readFileSync(tree.path('mine.txt'), 'utf8')).toBe('mine');
    expect(readFileSync(tree.path('outside/keep.txt'), 'utf8')).toBe('keep');
    expect(readdirSync(tree.path('outside'))).toEqual(['keep.txt']);
    expect(readdirSync(within).toSorted()).toEqual(['gone', 'note', 'out']);
  });

  it('follows a link to a folder inside the same folder', () => {
    tree.put({ 'work/real/a.txt': 'a', 'work/also': { link: 'real' } });
    writeAtomically(tree.path('work/also/b.txt'), 'b', { within: tree.path('work') });
    expect(readFileSync(tree.path('work/real/b.txt'), 'utf8')).toBe('b');
  });
});

describe('refuseLinks', () => {
  it('allows the folder itself to be reached through a link', () => {
    tree.put({ 'work/a.txt': 'a', door: { link: 'work' } });
    expect(refused(() => refuseLinks(tree.path('door/a.txt'), tree.path('door')))).toBeNull();
    expect(realpathSync(tree.path('door/a.txt'))).toBe(tree.path('work/a.txt'));
  });

  it('rejects a path that is not below the folder', () => {
    writeFileSync(tree.path('outside/x'), '');
    expect(refused(() => refuseLinks(tree.path('outside/x'), tree.path('work')))).toBe(tree.path('outside/x'));
  });
});
