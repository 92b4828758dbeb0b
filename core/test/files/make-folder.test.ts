import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../src/files/write-atomically.ts';

const root = mkdtempSync(path.join(tmpdir(), 'kebab-make-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

describe('makeFolder', () => {
  it('creates a folder with its parents, and leaves an existing one alone', () => {
    const folder = path.join(root, 'a', 'b', 'c');
    makeFolder(folder, { mode: 0o700 });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    makeFolder(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('accepts a link to a folder', () => {
    mkdirSync(path.join(root, 'real'));
    symlinkSync(path.join(root, 'real'), path.join(root, 'link'));
    makeFolder(path.join(root, 'link', 'below'));
    expect(statSync(path.join(root, 'real', 'below')).isDirectory()).toBe(true);
  });

  it('reports what is in the way: a file, or a dangling link', () => {
    writeFileSync(path.join(root, 'file'), '');
    symlinkSync(path.join(root, 'nothing'), path.join(root, 'dangling'));
    expect(() => makeFolder(path.join(root, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(path.join(root, 'file', 'below'))).toThrow('ENOTDIR');
    expect(() => makeFolder(path.join(root, 'dangling'))).toThrow('EEXIST');
  });

  it.skipIf(process.platform !== 'linux')(
    'names the folder that cannot be created, where Node would retry for ever',
    () => {
      expect(() => makeFolder('/proc/kebab-nothing/a/b')).toThrow("mkdir '/proc/kebab-nothing'");
    },
  );
});
