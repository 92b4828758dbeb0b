import { existsSync, readFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResolvedConfig } from '../../../src/config/resolved-config.ts';
import type { SourceFile } from '../../../src/contracts/source-connector.ts';
import { mintAssetId } from '../../../src/domain/minted-ids.ts';
import { isOwnFolder } from '../../../src/files/own-folder.ts';
import { storeAsset } from '../../../src/ingest/run/document-parts.ts';
import { TemporaryTree } from '../temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree();
});
afterEach(() => tree.remove());

const bytes = new TextEncoder().encode('the bytes');
const asset = mintAssetId(bytes);
const file = (uri: string) => ({ uri }) as SourceFile;
const storage = (copyThresholdMb: number) =>
  ({ assetDir: tree.path('assets'), copyThresholdMb }) as ResolvedConfig['storage'];

describe('storeAsset', () => {
  it('references a file on this machine instead of copying it', () => {
    const stored = storeAsset({ file: file('file:///notes/a%20b.md'), bytes, ...asset }, storage(100));
    expect(stored).toEqual({ kind: 'reference', path: '/notes/a b.md', checksum: asset.checksum });
    expect(existsSync(tree.path('assets'))).toBe(false);
  });

  it('copies an asset that has no file, once, to a path derived from its id', () => {
    const input = { file: file('mail://inbox/7'), bytes, ...asset };
    const stored = storeAsset(input, storage(100));
    const path = tree.path(`assets/${asset.assetId.slice(0, 2)}/${asset.assetId}`);
    expect(stored).toEqual({ kind: 'copied', path });
    expect(readFileSync(path)).toEqual(Buffer.from(bytes));
    const written = statSync(path, { bigint: true }).mtimeNs;
    expect(storeAsset(input, storage(100))).toEqual(stored);
    expect(statSync(path, { bigint: true }).mtimeNs).toBe(written);
  });

  it('marks the asset folder as its own if it created it, but not a folder that already had other files', () => {
    const input = { file: file('mail://inbox/7'), bytes, ...asset };
    storeAsset(input, storage(100));
    expect(isOwnFolder(tree.path('assets'))).toBe(true);
    tree.drop('assets');
    tree.put({ 'assets/letter.txt': 'dear' });
    storeAsset(input, storage(100));
    expect(isOwnFolder(tree.path('assets'))).toBe(false);
  });

  it('stores only the URI of an asset that is too large to copy', () => {
    const stored = storeAsset({ file: file('mail://inbox/7'), bytes, ...asset }, storage(0));
    expect(stored).toEqual({ kind: 'reference', path: 'mail://inbox/7', checksum: asset.checksum });
  });
});
