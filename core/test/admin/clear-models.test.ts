import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clearModels } from '../../src/admin/clear-models.ts';
import { TemporaryTree } from '../ingest/temporary-tree.ts';

let tree: TemporaryTree;
beforeEach(() => {
  tree = new TemporaryTree();
});
afterEach(() => tree.remove());

const record = (...files: readonly string[]): string => JSON.stringify({ files: files.map((path) => ({ path })) });

describe('clearModels', () => {
  it('removes what the record of a fetched model names, and the folders that became empty', () => {
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

  it('leaves a model without a record, whatever its files are called, and names it', () => {
    tree.put({ 'llama/config.json': '{}', 'llama/model.safetensors': 'w', 'me/own/model.onnx': 'w' });
    tree.put({ 'odd/kebab-pull.json': '{"files":7}', 'odd/config.json': '{}' });
    const { removed, left } = clearModels(tree.root);
    expect(removed).toEqual([]);
    expect(left.toSorted()).toEqual(['llama', 'me/own', 'odd'].map((name) => `${tree.path(name)}/`));
  });

  it('keeps a file beside a fetched model that the record does not name', () => {
    tree.put({ 'tiny/kebab-pull.json': record('config.json'), 'tiny/config.json': '', 'tiny/thesis.md': 'mine' });
    expect(clearModels(tree.root).removed).toEqual([tree.path('tiny/config.json'), tree.path('tiny/kebab-pull.json')]);
    expect(existsSync(tree.path('tiny/thesis.md'))).toBe(true);
  });

  it('removes nothing outside of the folder of the model, whatever the record says', () => {
    tree.put({ 'mine.txt': 'mine', 'elsewhere/model.onnx': 'mine', 'models/tiny/onnx': { link: '../../elsewhere' } });
    tree.put({ 'models/tiny/kebab-pull.json': record('../../mine.txt', 'onnx/model.onnx') });
    expect(clearModels(tree.path('models')).removed).toEqual([tree.path('models/tiny/kebab-pull.json')]);
    expect([existsSync(tree.path('mine.txt')), existsSync(tree.path('elsewhere/model.onnx'))]).toEqual([true, true]);
  });
});
