import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileDerivationCache, ownEntries } from '../../src/composition/file-derivation-cache.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'kebab-derived-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('FileDerivationCache', () => {
  it('remembers across processes, as one file an entry', () => {
    const folder = path.join(root, 'derived');
    new FileDerivationCache({ folder, readonly: false }).set('key', new Uint8Array([1, 2]));
    const later = new FileDerivationCache({ folder, readonly: false });
    expect([...(later.get('key') ?? [])]).toEqual([1, 2]);
    expect(later.get('another')).toBeUndefined();
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('writes nothing in read-only mode, nor where it cannot, and remembers all the same', () => {
    const file = path.join(root, 'a-file');
    writeFileSync(file, '');
    for (const options of [
      { folder: path.join(root, 'derived'), readonly: true },
      { folder: path.join(file, 'derived'), readonly: false },
    ]) {
      const cache = new FileDerivationCache(options);
      cache.set('key', new Uint8Array([3]));
      expect([...(cache.get('key') ?? [])]).toEqual([3]);
    }
    expect(readdirSync(root)).toEqual(['a-file']);
  });

  it('keeps the entries of plugins apart', () => {
    const cache = new FileDerivationCache({ folder: path.join(root, 'derived'), readonly: false });
    ownEntries(cache, 'one').set('key', new Uint8Array([1]));
    expect(ownEntries(cache, 'two').get('key')).toBeUndefined();
    expect([...(ownEntries(cache, 'one').get('key') ?? [])]).toEqual([1]);
  });
});
