import { existsSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearFolder, removeIfEmpty } from '../../src/admin/clear-folder.ts';
import { FOLDER_MARK, isOwnFolder, makeOwnFolder } from '../../src/files/own-folder.ts';
import { ConfigWorld } from '../config/config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

const rules = { files: /^[ab]\/\d+$/, folders: /^[ab]$/, known: true };

describe('clearFolder', () => {
  it('removes files of ours, folders of ours that became empty, and the folder itself if it is ours', () => {
    const one = world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    expect(clearFolder({ ...rules, path: folder, own: true }).removed).toEqual([one, `${folder}/a/`, `${folder}/`]);
    expect(existsSync(folder)).toBe(false);
    expect(clearFolder({ ...rules, path: folder, own: true })).toEqual({ removed: [], left: [] });
  });

  it('keeps what is not ours, and every folder that holds it', () => {
    const one = world.write('store/a/1', '');
    const foreign = world.write('store/a/letter.txt', '');
    mkdirSync(path.join(world.project, 'store/empty'));
    mkdirSync(path.join(world.project, 'store/b'));
    const folder = path.join(world.project, 'store');
    const { removed } = clearFolder({ ...rules, path: folder, own: true });
    expect(removed.toSorted()).toEqual([one, `${folder}/b/`].toSorted());
    expect(existsSync(foreign)).toBe(true);
    expect(existsSync(path.join(folder, 'empty'))).toBe(true);
  });

  it('keeps a folder that is not ours even when it is empty', () => {
    world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    clearFolder({ ...rules, path: folder, own: false });
    expect(existsSync(folder)).toBe(true);
  });

  it('leaves a folder whose place says nothing and that has no mark, and names it', () => {
    const foreign = world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    const cleared = clearFolder({ ...rules, path: folder, own: true, known: false });
    expect(cleared).toEqual({ removed: [], left: [`${folder}/`] });
    expect(existsSync(foreign)).toBe(true);
  });

  it('clears a marked folder anywhere, and what a killed process left there; the mark goes last', () => {
    const folder = path.join(world.project, 'store');
    makeOwnFolder(folder);
    world.write('store/a/1', '');
    world.write(`store/a/.kebab-${'0'.repeat(32)}.tmp`, '');
    const foreign = world.write('store/letter.txt', '');
    const place = { ...rules, path: folder, own: false, known: false };
    expect(clearFolder(place).removed).toHaveLength(3);
    expect(isOwnFolder(folder)).toBe(true);
    unlinkSync(foreign);
    expect(clearFolder(place).removed).toEqual([path.join(folder, FOLDER_MARK)]);
    expect(existsSync(folder)).toBe(true);
  });

  it('does not take the place of a link for the place of the folder it leads to', () => {
    const outside = world.write('outside/a/1', '');
    const folder = path.join(world.project, 'store');
    symlinkSync(path.join(world.project, 'outside'), folder);
    expect(clearFolder({ ...rules, path: folder, own: true })).toEqual({ removed: [], left: [`${folder}/`] });
    expect(existsSync(outside)).toBe(true);
  });

  it('follows no link out of the folder it clears', () => {
    const outside = world.write('outside/1', '');
    mkdirSync(path.join(world.project, 'store'));
    symlinkSync(path.dirname(outside), path.join(world.project, 'store/a'));
    expect(clearFolder({ ...rules, path: path.join(world.project, 'store'), own: true }).removed).toEqual([]);
    expect(existsSync(outside)).toBe(true);
  });
});

describe('removeIfEmpty', () => {
  it('removes nothing that is missing, full, or a file', () => {
    const file = world.write('full/file', '');
    expect(removeIfEmpty(path.join(world.project, 'missing'))).toEqual([]);
    expect(removeIfEmpty(path.join(world.project, 'full'))).toEqual([]);
    expect(removeIfEmpty(file)).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });
});
