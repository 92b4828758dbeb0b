import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearFolder, removeIfEmpty } from '../../src/admin/clear-folder.ts';
import { ConfigWorld } from '../config/config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

const rules = { files: /^[ab]\/\d+$/, folders: /^[ab]$/ };

describe('clearFolder', () => {
  it('removes files of ours, folders of ours that became empty, and the folder itself if it is ours', () => {
    const one = world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    expect(clearFolder({ ...rules, path: folder, own: true })).toEqual([one, `${folder}/a/`, `${folder}/`]);
    expect(existsSync(folder)).toBe(false);
    expect(clearFolder({ ...rules, path: folder, own: true })).toEqual([]);
  });

  it('keeps what is not ours, and every folder that holds it', () => {
    const one = world.write('store/a/1', '');
    const foreign = world.write('store/a/letter.txt', '');
    mkdirSync(path.join(world.project, 'store/empty'));
    mkdirSync(path.join(world.project, 'store/b'));
    const folder = path.join(world.project, 'store');
    expect(clearFolder({ ...rules, path: folder, own: true }).toSorted()).toEqual([one, `${folder}/b/`].toSorted());
    expect(existsSync(foreign)).toBe(true);
    expect(existsSync(path.join(folder, 'empty'))).toBe(true);
  });

  it('keeps a folder that is not ours even when it is empty', () => {
    world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    clearFolder({ ...rules, path: folder, own: false });
    expect(existsSync(folder)).toBe(true);
  });

  it('follows no link', () => {
    const outside = world.write('outside/1', '');
    mkdirSync(path.join(world.project, 'store'));
    symlinkSync(path.dirname(outside), path.join(world.project, 'store/a'));
    expect(clearFolder({ ...rules, path: path.join(world.project, 'store'), own: true })).toEqual([]);
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
