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

describe('reading a regular file', () => {
  it('gives its bytes, none for an empty one, and follows a link unless that is not wanted', () => {
    tree.put({ 'a.txt': 'salt', 'empty.txt': '', 'link.txt': { link: 'a.txt' } });
    expect(readRegularFile(tree.path('a.txt'), { maxBytes: 4 }).toString()).toBe('salt');
    expect(readRegularFile(tree.path('empty.txt'), LIMIT).toString()).toBe('');
    expect(readRegularFile(tree.path('link.txt'), LIMIT).toString()).toBe('salt');
    expect(() => readRegularFile(tree.path('link.txt'), { ...LIMIT, followLink: false })).toThrow('ELOOP');
  });

  it('refuses more bytes than are allowed before it reads any', () => {
    tree.put({ 'a.txt': 'x'.repeat(101) });
    expect(() => readRegularFile(tree.path('a.txt'), LIMIT)).toThrow('has 101 bytes, more than the 100 allowed');
  });

  it('refuses more than 2 GiB whatever is allowed: no system reads that at once', () => {
    tree.put({ 'huge.md': '' });
    truncateSync(tree.path('huge.md'), 3_000_000_000);
    const read = (): unknown => readRegularFile(tree.path('huge.md'), { maxBytes: 5e9 });
    expect(read).toThrow('has 3000000000 bytes, more than the 2147483646 allowed');
  });

  it.runIf(existsSync('/dev/zero'))('never waits for a pipe, a device or a folder', () => {
    execFileSync('mkfifo', [tree.path('pipe')]);
    tree.put({ 'endless.txt': { link: '/dev/zero' }, 'pipe.txt': { link: 'pipe' } });
    for (const file of [tree.path('pipe'), tree.path('pipe.txt'), tree.path('endless.txt'), tree.root]) {
      expect(() => readRegularFile(file, LIMIT)).toThrow(`${file} is not a regular file`);
      expect(() => openRegularFile(file)).toThrow(`${file} is not a regular file`);
    }
  });

  it.runIf(existsSync('/proc/self/pagemap'))('refuses a file that says it is empty and gives bytes without end', () => {
    for (const file of ['/proc/self/environ', '/proc/cpuinfo'])
      expect(() => readRegularFile(file, LIMIT)).toThrow('gives more than it says it has');
    expect(() => readRegularFile('/proc/self/pagemap', LIMIT)).toThrow('cannot be read as a file');
  });
});
