import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileDerivationCache, ownEntries } from '../../src/plugin/file-derivation-cache.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'kebab-derived-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('FileDerivationCache', () => {
  it('caches across processes, one file per entry', () => {
    const folder = path.join(root, 'derived');
    new FileDerivationCache({ folder, readonly: false }).set('key', new Uint8Array([1, 2]));
    const later = new FileDerivationCache({ folder, readonly: false });
    expect([...(later.get('key') ?? [])]).toEqual([1, 2]);
    expect(later.get('another')).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('writes nothing in read-only mode, and does without a folder that cannot be written to', () => {
    const file = path.join(root, 'a-file');
    writeFileSync(file, '');
    for (const options of [
      { folder: path.join(root, 'derived'), readonly: true },
      { folder: path.join(file, 'derived'), readonly: false },
    ]) {
      const cache = new FileDerivationCache(options);
      cache.set('key', new Uint8Array([3]));
      expect(cache.get('key')).toBeUndefined();
    }
    expect(readdirSync(root)).toEqual(['a-file']);
  });

  it.skipIf(process.platform === 'win32')('does not block on a pipe in place of an entry', () => {
    const options = { folder: path.join(root, 'derived'), readonly: false };
    new FileDerivationCache(options).set('key', new Uint8Array([1]));
    const [entry = ''] = readdirSync(options.folder);
    rmSync(path.join(options.folder, entry));
    execFileSync('mkfifo', [path.join(options.folder, entry)]);
    expect(new FileDerivationCache(options).get('key')).toBeUndefined();
  });

  it('follows no link planted under the name of an entry or of its former temporary file', () => {
    const folder = path.join(root, 'derived');
    const cache = new FileDerivationCache({ folder, readonly: false });
    cache.set('key', new Uint8Array([1]));
    const [entry = ''] = readdirSync(folder);
    writeFileSync(path.join(root, 'mine'), 'mine');
    rmSync(path.join(folder, entry));
    for (const name of [entry, `${entry}.${process.pid}.tmp`]) symlinkSync('../mine', path.join(folder, name));
    cache.set('key', new Uint8Array([2]));
    expect(readFileSync(path.join(root, 'mine'), 'utf8')).toBe('mine');
    expect([...(new FileDerivationCache({ folder, readonly: false }).get('key') ?? [])]).toEqual([2]);
  });

  it('separates the entries of plugins', () => {
    const cache = new FileDerivationCache({ folder: path.join(root, 'derived'), readonly: false });
    ownEntries(cache, 'one').set('key', new Uint8Array([1]));
    expect(ownEntries(cache, 'two').get('key')).toBeUndefined();
    expect([...(ownEntries(cache, 'one').get('key') ?? [])]).toEqual([1]);
  });
});
