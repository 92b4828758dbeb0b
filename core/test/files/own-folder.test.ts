import { mkdirSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FOLDER_MARK, isOwnFolder, makeOwnFolder } from '../../src/files/own-folder.ts';
import { TemporaryTree } from '../ingest/temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree();
});
afterEach(() => tree.remove());

describe('makeOwnFolder', () => {
  it('creates and marks a folder, once', () => {
    makeOwnFolder(tree.path('deep/assets'));
    makeOwnFolder(tree.path('deep/assets'));
    expect(readdirSync(tree.path('deep/assets'))).toEqual([FOLDER_MARK]);
    expect(isOwnFolder(tree.path('deep/assets'))).toBe(true);
    expect(isOwnFolder(tree.path('deep'))).toBe(false);
  });

  it('marks an empty folder, but not one with existing content', () => {
    mkdirSync(tree.path('empty'));
    tree.put({ 'full/letter.txt': 'dear' });
    for (const name of ['empty', 'full']) makeOwnFolder(tree.path(name));
    expect([isOwnFolder(tree.path('empty')), isOwnFolder(tree.path('full'))]).toEqual([true, false]);
    expect(readdirSync(tree.path('full'))).toEqual(['letter.txt']);
  });

  it('accepts neither a link nor another file of that name as the mark', () => {
    makeOwnFolder(tree.path('ours'));
    tree.put({ [`linked/${FOLDER_MARK}`]: { link: `../ours/${FOLDER_MARK}` }, [`other/${FOLDER_MARK}`]: 'x' });
    expect([isOwnFolder(tree.path('linked')), isOwnFolder(tree.path('other'))]).toEqual([false, false]);
  });
});
