import { execFileSync } from 'node:child_process';
import { existsSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegularFile, readRegularFile } from '../../src/files/read-regular-file.ts';
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
        expect(() => readRegularFile(file, LIMIT)).toThrow('gives more than it says it has');
      expect(() => readRegularFile('/proc/self/pagemap', LIMIT)).toThrow('cannot be read as a file');
    },
  );
});
