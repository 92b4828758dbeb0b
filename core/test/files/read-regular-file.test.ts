import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  firstBytes,
  isInside,
  liesInside,
  openRegularFile,
  readRegularFile,
} from '../../src/files/read-regular-file.ts';
import { TemporaryTree } from '../ingest/temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree();
});
afterEach(() => tree.remove());

const LIMIT = { maxBytes: 100 };

describe('readRegularFile', () => {
  it('returns the bytes, none for an empty file, and follows a link unless told not to', () => {
    tree.put({ 'a.txt': 'salt', 'empty.txt': '', 'link.txt': { link: 'a.txt' } });
    expect(readRegularFile(tree.path('a.txt'), { maxBytes: 4 }).toString()).toBe('salt');
    expect(readRegularFile(tree.path('empty.txt'), LIMIT).toString()).toBe('');
    expect(readRegularFile(tree.path('link.txt'), LIMIT).toString()).toBe('salt');
    expect(() => readRegularFile(tree.path('link.txt'), { ...LIMIT, followLink: false })).toThrow('ELOOP');
  });

  it('rejects a file over the limit before reading it', () => {
    tree.put({ 'a.txt': 'x'.repeat(101) });
    expect(() => readRegularFile(tree.path('a.txt'), LIMIT)).toThrow('has 101 bytes, more than the 100 allowed');
  });

  it('rejects more than 2 GiB regardless of the limit: no system reads that in one call', () => {
    tree.put({ 'huge.md': '' });
    truncateSync(tree.path('huge.md'), 3_000_000_000);
    const read = (): unknown => readRegularFile(tree.path('huge.md'), { maxBytes: 5e9 });
    expect(read).toThrow('has 3000000000 bytes, more than the 2147483646 allowed');
  });

  it.runIf(existsSync('/dev/zero'))('never blocks on a pipe, a device or a folder', () => {
    execFileSync('mkfifo', [tree.path('pipe')]);
    tree.put({ 'endless.txt': { link: '/dev/zero' }, 'pipe.txt': { link: 'pipe' } });
    for (const file of [tree.path('pipe'), tree.path('pipe.txt'), tree.path('endless.txt'), tree.root]) {
      expect(() => readRegularFile(file, LIMIT)).toThrow(`${file} is not a regular file`);
      expect(() => openRegularFile(file)).toThrow(`${file} is not a regular file`);
    }
  });

  it.runIf(existsSync('/proc/self/pagemap'))(
    'rejects a file that claims to be empty and yields bytes without end',
    () => {
      for (const file of ['/proc/self/environ', '/proc/cpuinfo'])
        expect(() => readRegularFile(file, LIMIT)).toThrow('yields more bytes than its stated size');
      expect(() => readRegularFile('/proc/self/pagemap', LIMIT)).toThrow('cannot be read as a file');
    },
  );
});

describe('the first bytes of a file', () => {
  it('are padded with zeros, and null for anything but a regular file', () => {
    tree.put({ 'a.txt': 'salt', 'longer.txt': 'salty water' });
    expect(firstBytes(tree.path('a.txt'), 6)).toEqual(new Uint8Array([...Buffer.from('salt'), 0, 0]));
    expect(firstBytes(tree.path('longer.txt'), 5)).toEqual(new Uint8Array(Buffer.from('salty')));
    expect([firstBytes(tree.root, 4), firstBytes(tree.path('missing'), 4)]).toEqual([null, null]);
  });
});

it.runIf(existsSync('/proc/self/fd'))('leaves no file open, whether the file was read or rejected', () => {
  tree.put({ 'a.txt': 'salt' });
  const before = readdirSync('/proc/self/fd').length;
  for (let n = 0; n < 20; n++) {
    readRegularFile(tree.path('a.txt'), LIMIT);
    firstBytes(tree.path('a.txt'), 4);
    expect(() => readRegularFile(tree.path('a.txt'), { maxBytes: 1 })).toThrow('more than the 1 allowed');
    expect(() => openRegularFile(tree.root)).toThrow('is not a regular file');
  }
  expect(readdirSync('/proc/self/fd').length - before).toBeLessThan(20);
});

describe('a path inside a folder', () => {
  it.each([
    ['/notes', '/notes', true],
    ['/notes/a.md', '/notes', true],
    ['/notes-of-others/a.md', '/notes', false],
    ['/', '/notes', false],
    ['/notes/a.md', '/', true],
  ])('%s, in %s: %s', (file, folder, expected) => expect(isInside(file, folder)).toBe(expected));

  it('exists and is inside the folder once all links are resolved', () => {
    tree.put({
      'kb/a.md': 'a',
      'outside/b.md': 'b',
      'kb/out.md': { link: '../outside/b.md' },
      'kb/in.md': { link: 'a.md' },
    });
    tree.put({ linked: { link: 'kb' } });
    const inKb = (name: string, root = 'kb'): boolean => liesInside(tree.path(name), tree.path(root));
    expect(['kb/a.md', 'kb/in.md', 'linked/a.md', 'kb'].map((name) => inKb(name))).toEqual([true, true, true, true]);
    expect(inKb('kb/a.md', 'linked')).toBe(true);
    expect(['kb/out.md', 'outside/b.md', 'kb/missing.md', path.join('kb', '..')].map((name) => inKb(name))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
