import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readModelFolder, labelNames, listModels, isModelPath, modelPath } from '../../src/folder/read-model-folder.ts';
import { sharedModel, tinyTable, TINY_WORDS, writeTinyModel, writeTinyTable } from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';
import { BUILTIN_MANIFESTS } from '../../src/manifest/builtin-manifests.ts';

const newFolder = tempFolders();
const nowhere = { modelDir: '/nowhere' };

function tinyFolder(name = 'mine'): string {
  const folder = path.join(newFolder(), name);
  writeTinyModel(folder);
  return folder;
}

function merge(file: string, values: object): void {
  const json = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...json, ...values }));
}

describe('readModelFolder', () => {
  it('infers the properties of an unknown model from its files', async () => {
    const folder = tinyFolder();
    const found = await readModelFolder(folder, nowhere);
    expect(found).toMatchObject({
      folder,
      weights: { kind: 'onnx', file: path.join(folder, 'onnx/model.onnx'), precision: 'fp32' },
      manifest: { id: 'mine', dimensions: 8, maxTokens: 16, pooling: 'auto', languages: null },
      dimensionsGuessed: true,
      revision: null,
    });
  });

  it('prefers quantised weights, and reports their precision', async () => {
    const folder = tinyFolder();
    writeTinyModel(folder, { file: 'onnx/model_quantized.onnx' });
    const { weights, manifest } = await readModelFolder(folder, nowhere);
    expect([path.basename(weights.file), manifest.precision]).toEqual(['model_quantized.onnx', 'q8']);
  });

  it('recognises a table of token vectors, but not transformer weights in the same format', async () => {
    const folder = newFolder();
    const tensor = { name: 'embeddings', dtype: 'F32', shape: [TINY_WORDS.length, 4], data: tinyTable(4) } as const;
    writeTinyTable(folder, [tensor]);
    const found = await readModelFolder(folder, nowhere);
    expect(found.weights).toMatchObject({ kind: 'static', dimensions: 4, precision: 'fp32' });
    expect(found).toMatchObject({ manifest: { dimensions: 4, maxTokens: 1_000_000 }, dimensionsGuessed: false });
    const other = tinyFolder();
    writeTinyTable(other, [{ ...tensor, name: 'embeddings.word_embeddings.weight' }]);
    expect((await readModelFolder(other, nowhere)).weights.kind).toBe('onnx');
  });

  it('recognises a model by the name of its folder, with or without its precision', async () => {
    for (const name of ['multilingual-e5-small', 'multilingual-e5-small-int8']) {
      const { manifest, dimensionsGuessed } = await readModelFolder(tinyFolder(name), nowhere);
      expect(manifest).toMatchObject({
        id: name,
        prefixes: { query: 'query: ', document: 'passage: ' },
        dimensions: 384,
      });
      expect(dimensionsGuessed).toBe(false);
    }
  });

  it('gives kebab-model.json precedence over everything else', async () => {
    const folder = tinyFolder('multilingual-e5-small');
    const override = {
      dimensions: 8,
      prefixes: {},
      relevance: { floor: 0, ceil: 1 },
      languages: ['de'],
      max_tokens: 9,
    };
    writeFileSync(path.join(folder, 'kebab-model.json'), JSON.stringify(override));
    expect(await readModelFolder(folder, nowhere)).toMatchObject({
      manifest: { dimensions: 8, prefixes: { query: '', document: '' }, languages: ['de'], maxTokens: 9 },
      dimensionsGuessed: false,
    });
    renameSync(path.join(folder, 'onnx/model.onnx'), path.join(folder, 'onnx/special.onnx'));
    writeFileSync(path.join(folder, 'kebab-model.json'), JSON.stringify({ weights: 'onnx/special.onnx' }));
    expect((await readModelFolder(folder, nowhere)).weights.file).toBe(path.join(folder, 'onnx/special.onnx'));
  });

  it('uses the window of the tokenizer, the unused positions of RoBERTa, and the pooling of sentence-transformers', async () => {
    const folder = tinyFolder();
    merge(path.join(folder, 'tokenizer_config.json'), { model_max_length: 1e30 });
    merge(path.join(folder, 'config.json'), { model_type: 'xlm-roberta', max_position_embeddings: 514 });
    mkdirSync(path.join(folder, '1_Pooling'));
    writeFileSync(path.join(folder, '1_Pooling/config.json'), JSON.stringify({ pooling_mode_cls_token: true }));
    const { manifest } = await readModelFolder(folder, nowhere);
    expect(manifest).toMatchObject({ maxTokens: 512, pooling: 'cls' });
  });

  it('identifies its files by content, regardless of their location', async () => {
    const folder = tinyFolder();
    const copy = path.join(newFolder(), 'mine');
    cpSync(folder, copy, { recursive: true });
    const { contentHash } = await readModelFolder(folder, nowhere);
    expect((await readModelFolder(copy, nowhere)).contentHash).toBe(contentHash);
    for (const file of ['onnx/model.onnx', 'tokenizer.json', 'config.json', 'tokenizer_config.json']) {
      const changed = path.join(newFolder(), 'mine');
      cpSync(folder, changed, { recursive: true });
      appendFileSync(path.join(changed, file), file.endsWith('.onnx') ? '2\0' : ' '); // an empty field of the model
      expect((await readModelFolder(changed, nowhere)).contentHash).not.toBe(contentHash);
    }
  });

  it.each(['tokenizer.json', 'onnx/model.onnx'])('names a missing file and the remedy: %s', async (file) => {
    const folder = tinyFolder();
    rmSync(path.join(folder, file));
    await expect(readModelFolder(folder, nowhere)).rejects.toMatchObject({
      code: 'model_not_pulled',
      message: expect.stringContaining('is missing') as unknown,
      hint: expect.stringContaining(folder) as unknown,
      details: { model: 'mine', provider: 'transformers' },
    });
  });

  it('reports a known model that was not downloaded, and an unknown one', async () => {
    const modelDir = newFolder();
    await expect(readModelFolder('multilingual-e5-small', { modelDir })).rejects.toMatchObject({
      code: 'model_not_pulled',
      hint: 'fetch it with `kebab models pull`',
    });
    await expect(readModelFolder('multilingual-e5-smal', { modelDir })).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: 'models.embedding.model', suggestion: 'multilingual-e5-small' },
    });
    await expect(readModelFolder('potion-base-4M-int8', { modelDir })).rejects.toMatchObject({
      details: { suggestion: 'potion-base-4M' },
    });
    writeTinyModel(path.join(modelDir, 'own'));
    expect((await readModelFolder('own', { modelDir })).folder).toBe(path.join(modelDir, 'own'));
  });

  it('checks the role of known models, but accepts a folder for any role', async () => {
    const modelDir = newFolder();
    await expect(readModelFolder('Xenova/bge-reranker-base', { modelDir })).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: 'models.embedding.model', suggestion: 'multilingual-e5-small' },
    });
    await expect(readModelFolder('Xenova/bge-reranker-bas', { modelDir, role: 'rerank' })).rejects.toMatchObject({
      code: 'config_invalid',
      details: { key: 'models.rerank.model', suggestion: 'Xenova/bge-reranker-base' },
    });
    const folder = tinyFolder('multilingual-e5-small');
    merge(path.join(folder, 'config.json'), { id2label: { '0': 'entailment', '1': 'other' } });
    expect(await readModelFolder(folder, { modelDir, role: 'nli' })).toMatchObject({
      manifest: { role: 'nli', dimensions: null, maxTokens: 16, prefixes: { query: '' } },
      labels: ['entailment', 'other'],
    });
  });

  it('detects an empty file, invalid JSON, and a file that is shorter than when downloaded', async () => {
    const empty = tinyFolder();
    truncateSync(path.join(empty, 'onnx/model.onnx'));
    const broken = tinyFolder();
    writeFileSync(path.join(broken, 'config.json'), '{"hidden');
    const short = tinyFolder();
    const record = {
      repository: 'a/b',
      revision: 'main',
      files: [{ path: 'onnx/model.onnx', bytes: 12345, sha256: '' }],
    };
    writeFileSync(path.join(short, 'kebab-pull.json'), JSON.stringify(record));
    const table = newFolder();
    writeTinyTable(table, [{ name: 'embeddings', dtype: 'F32', shape: [16, 4], data: tinyTable(4) }]);
    truncateSync(path.join(table, 'model.safetensors'), 200);
    for (const [folder, reason] of [
      [empty, 'is damaged: 0 bytes'],
      [broken, 'is no JSON'],
      [short, 'bytes of 12345'],
      [table, 'is damaged'],
    ] as const)
      await expect(readModelFolder(folder, nowhere)).rejects.toMatchObject({
        code: 'model_not_pulled',
        message: expect.stringContaining(reason) as unknown,
      });
  });

  it.each<[string, string, (whole: Buffer) => Buffer | string, RegExp]>([
    ['cut off', 'onnx/model.onnx', (whole) => whole.subarray(0, whole.length - 9), /cut off: \d+ bytes of at least/],
    ['cut off in its head', 'onnx/model.onnx', (whole) => whole.subarray(0, 3), /cut off/],
    ['a web page', 'onnx/model.onnx', () => '<!DOCTYPE html><html>Sign in</html>', /a web page/],
    ['a message', 'onnx/model.onnx', () => 'Entry not found', /no ONNX model/],
    ['an error in JSON', 'onnx/model.onnx', () => '{"error":"Repository not found"}', /no ONNX model/],
    ['full of zeros', 'onnx/model.onnx', (whole) => Buffer.alloc(whole.length), /no ONNX model/],
    [
      'a Git LFS pointer',
      'onnx/model.onnx',
      () => `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 118308185\n`,
      /a Git LFS pointer/,
    ],
    ['a Git LFS pointer', 'tokenizer.json', () => 'version https://git-lfs.github.com/spec/v1\n', /a Git LFS pointer/],
    ['cut off', 'tokenizer.json', (whole) => whole.subarray(0, whole.length - 4), /no JSON, or is cut off/],
    ['a web page', 'tokenizer.json', () => '\n<html>403</html>', /a web page/],
  ])('names a file that is %s, and one way out: %s', async (_, file, damage, reason) => {
    const folder = tinyFolder();
    const place = path.join(folder, file);
    writeFileSync(place, damage(readFileSync(place)));
    await expect(readModelFolder(folder, nowhere)).rejects.toMatchObject({
      code: 'model_not_pulled',
      message: expect.stringMatching(reason) as unknown,
      hint: `${place} is damaged: copy the file again from where the model comes from`,
    });
  });

  it('has a damaged file of a known model fetched again', async () => {
    const modelDir = newFolder();
    const id = 'multilingual-e5-small';
    writeTinyModel(path.join(modelDir, id), { file: 'onnx/model_quantized.onnx' });
    const place = path.join(modelDir, id, 'onnx/model_quantized.onnx');
    truncateSync(place, 100);
    await expect(readModelFolder(id, { modelDir })).rejects.toMatchObject({
      message: expect.stringContaining(`${place} is damaged: it is cut off`) as unknown,
      hint: `${place} is damaged: fetch the model again with \`kebab models pull ${id}\``,
    });
  });

  const potion = sharedModel('potion-base-4M-int8');
  it.skipIf(potion === null)('recognises a real table of token vectors (skipped without ../shared)', async () => {
    expect(await readModelFolder(potion as string, nowhere)).toMatchObject({
      weights: { kind: 'static', dimensions: 128, precision: 'q8' },
      manifest: { id: 'potion-base-4M-int8', languages: ['en'], dimensions: 128 },
    });
  });

  const random = sharedModel('tiny-random-bert');
  it.skipIf(random === null)(
    'recognises a transformer in transformers.js layout (skipped without ../shared)',
    async () => {
      expect(await readModelFolder(random as string, nowhere)).toMatchObject({
        weights: { kind: 'onnx', precision: 'q8' },
        manifest: { dimensions: 64, maxTokens: 512 },
        dimensionsGuessed: true,
      });
    },
  );
});

describe('labelNames', () => {
  it('returns the labels in the order of their numbers, not of the file', () => {
    expect(labelNames({ '2': 'contradiction', '0': 'entailment', '1': 'neutral' })).toEqual([
      'entailment',
      'neutral',
      'contradiction',
    ]);
    expect(labelNames({ '0': 'LABEL_0' })).toEqual(['LABEL_0']);
  });

  it.each([undefined, null, 'entailment', {}, { '1': 'no first' }, { '0': 'a', '2': 'b' }, { '0': 1 }, { a: 'a' }])(
    'returns null if any label is missing: %j',
    (id2label) => {
      expect(labelNames(id2label)).toBeNull();
    },
  );
});

describe('listModels', () => {
  it('lists every known model as absent if the folder does not exist', async () => {
    const models = await listModels('/nowhere/at/all');
    expect(models.map(({ id }) => id)).toEqual(BUILTIN_MANIFESTS.map(({ id }) => id));
    expect(models.every(({ present, bytes }) => !present && bytes === null)).toBe(true);
  });

  it('reports a model as present if all of its files exist, with their size', async () => {
    const modelDir = newFolder();
    const [whole, half] = BUILTIN_MANIFESTS;
    for (const [manifest, files] of [
      [whole, whole?.files],
      [half, half?.files.slice(1)],
    ] as const)
      for (const file of files ?? []) {
        const target = path.join(modelDir, manifest?.id ?? '', file);
        mkdirSync(path.dirname(target), { recursive: true });
        writeFileSync(target, 'abcde');
      }
    const [first, second] = await listModels(modelDir);
    expect(first).toEqual({ id: whole?.id, role: 'embedding', present: true, bytes: 20 });
    expect(second).toEqual({ id: half?.id, role: 'embedding', present: false, bytes: null });
  });
});

describe('modelPath', () => {
  it('finds a name in the model folder', () => {
    expect(modelPath('multilingual-e5-small', '/data/models')).toBe('/data/models/multilingual-e5-small');
    expect(modelPath('Xenova/some-model_v1.5', '/data/models')).toBe('/data/models/Xenova/some-model_v1.5');
  });

  it('resolves absolute paths, and those relative to the home folder or the working directory', () => {
    expect(modelPath('/models/mine', '/data')).toBe('/models/mine');
    expect(modelPath('~/mine', '/data')).toBe(path.join(homedir(), 'mine'));
    expect(modelPath('./mine', '/data')).toBe(path.resolve('mine'));
    expect(modelPath('../mine', '/data')).toBe(path.resolve('..', 'mine'));
    expect(isModelPath('.hidden')).toBe(false);
  });

  it.each([
    'a/../../etc',
    'a/b/c',
    '',
    ' ',
    'a b',
    '.hidden',
    'a/..',
    'a..b',
    'a\\..\\b',
    'a\0b',
    '-rf',
    'https://x/y',
  ])('refuses the name %j', (name) => {
    expect(() => modelPath(name, '/data/models')).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
