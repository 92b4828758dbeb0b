import { existsSync, mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearFolder, clearModels, KEBAB_FILES, removeDrafts, removeIfEmpty } from '../../src/admin/clear-folder.ts';
import { FOLDER_MARK, isOwnFolder, makeOwnFolder } from '../../src/files/own-folder.ts';
import { ConfigWorld } from '../config/config-world.ts';
import { TemporaryTree } from '../ingest/temporary-tree.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

const rules = { files: /^[ab]\/\d+$/, folders: /^[ab]$/, known: true };

describe('clearFolder', () => {
  it('removes kebab’s files, its folders that became empty, and the folder itself if it is kebab’s', () => {
    const one = world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    expect(clearFolder({ ...rules, path: folder, own: true }).removed).toEqual([one, `${folder}/a/`, `${folder}/`]);
    expect(existsSync(folder)).toBe(false);
    expect(clearFolder({ ...rules, path: folder, own: true })).toEqual({ removed: [], left: [] });
  });

  it('keeps foreign files, and every folder that contains them', () => {
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

  it('keeps a foreign folder even when it is empty', () => {
    world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    clearFolder({ ...rules, path: folder, own: false });
    expect(existsSync(folder)).toBe(true);
  });

  it('keeps a folder without a mark in a custom location, and reports it', () => {
    const foreign = world.write('store/a/1', '');
    const folder = path.join(world.project, 'store');
    const cleared = clearFolder({ ...rules, path: folder, own: true, known: false });
    expect(cleared).toEqual({ removed: [], left: [`${folder}/`] });
    expect(existsSync(foreign)).toBe(true);
  });

  it('clears a marked folder anywhere, including what a killed process left; the mark is removed last', () => {
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

  it('does not treat a link in a known location as the folder it leads to', () => {
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

describe('removeDrafts', () => {
  it('removes only the temporary files in a folder, and nothing behind a link', () => {
    const draft = `.kebab-${'0'.repeat(32)}.tmp`;
    const [one, mine, outside] = [`own/${draft}`, 'own/mine.tmp', `outside/${draft}`].map((name) =>
      world.write(name, ''),
    );
    const [own, link] = ['own', 'link'].map((name) => path.join(world.project, name)) as [string, string];
    symlinkSync(path.join(world.project, 'outside'), link);
    expect([own, link, mine ?? '', path.join(own, 'missing')].flatMap(removeDrafts)).toEqual([one]);
    expect([one, mine, outside].map((file) => existsSync(file ?? ''))).toEqual([false, true, true]);
  });
});

describe('removeIfEmpty', () => {
  it('does not remove anything that is missing, not empty, or a file', () => {
    const file = world.write('full/file', '');
    expect(removeIfEmpty(path.join(world.project, 'missing'))).toEqual([]);
    expect(removeIfEmpty(path.join(world.project, 'full'))).toEqual([]);
    expect(removeIfEmpty(file)).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });
});

const id = 'cec9353553efb238a7919d38d3e148f1';

describe('KEBAB_FILES', () => {
  it.each([
    ['assets', `ce/${id}`],
    ['runs', 'run_018f3c/report.md'],
    ['runs', 'run_018f3c/per_query.jsonl'],
    ['models', 'Xenova/multilingual-e5-small/onnx/model_quantized.onnx'],
    ['models', 'multilingual-e5-small/tokenizer.json'],
    ['logs', 'kebab-2026-01-31.jsonl'],
    ['cache', 'code/main.bin'],
  ] as const)('include %s/%s', (kind, name) => {
    expect(KEBAB_FILES[kind].files.test(name)).toBe(true);
  });

  it.each([
    ['assets', id],
    ['assets', 'ce/holiday.jpg'],
    ['runs', 'run_1/thoughts.txt'],
    ['models', 'config.json'],
    ['models', 'my/notes.md'],
    ['logs', 'other.log'],
    ['cache', 'keep.txt'],
  ] as const)('exclude %s/%s', (kind, name) => {
    expect(KEBAB_FILES[kind].files.test(name)).toBe(false);
  });
});

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree();
});
afterEach(() => tree.remove());

const record = (...files: readonly string[]): string =>
  JSON.stringify({ files: files.map((file) => ({ path: file })) });

describe('clearModels', () => {
  it('removes the files in the record of a downloaded model, and the folders that became empty', () => {
    tree.put({
      'owner/tiny/kebab-pull.json': record('config.json', 'onnx/model.onnx'),
      'owner/tiny/config.json': '',
      'owner/tiny/onnx/model.onnx': '',
    });
    const { removed, left } = clearModels(tree.root);
    expect(removed).toContain(`${tree.path('owner')}/`);
    expect(left).toEqual([]);
    expect(existsSync(tree.path('owner'))).toBe(false);
    expect(clearModels(tree.root)).toEqual({ removed: [], left: [] });
  });

  it('keeps a model without a record, whatever the names of its files, and reports it', () => {
    tree.put({ 'llama/config.json': '{}', 'llama/model.safetensors': 'w', 'me/own/model.onnx': 'w' });
    tree.put({ 'odd/kebab-pull.json': '{"files":7}', 'odd/config.json': '{}' });
    const { removed, left } = clearModels(tree.root);
    expect(removed).toEqual([]);
    expect(left.toSorted()).toEqual(['llama', 'me/own', 'odd'].map((name) => `${tree.path(name)}/`));
  });

  it('keeps a file next to a downloaded model that the record does not list', () => {
    tree.put({ 'tiny/kebab-pull.json': record('config.json'), 'tiny/config.json': '', 'tiny/thesis.md': 'mine' });
    expect(clearModels(tree.root).removed).toEqual([tree.path('tiny/config.json'), tree.path('tiny/kebab-pull.json')]);
    expect(existsSync(tree.path('tiny/thesis.md'))).toBe(true);
  });

  it('removes nothing outside of the folder of the model, whatever the record lists', () => {
    tree.put({ 'mine.txt': 'mine', 'elsewhere/model.onnx': 'mine', 'models/tiny/onnx': { link: '../../elsewhere' } });
    tree.put({ 'models/tiny/kebab-pull.json': record('../../mine.txt', 'onnx/model.onnx') });
    expect(clearModels(tree.path('models')).removed).toEqual([tree.path('models/tiny/kebab-pull.json')]);
    expect([existsSync(tree.path('mine.txt')), existsSync(tree.path('elsewhere/model.onnx'))]).toEqual([true, true]);
  });
});
