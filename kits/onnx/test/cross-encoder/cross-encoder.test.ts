import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CrossEncoder,
  type CrossEncoderTask,
  crossEncoderConfigSchema,
  defaultThreads,
} from '../../src/cross-encoder/cross-encoder.ts';
import { TINY_WORDS, tinyTable, writeTinyCrossEncoder, writeTinyTable } from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();
const opened: CrossEncoder[] = [];
afterEach(() => Promise.all(opened.splice(0).map((encoder) => encoder.close())));

const TASK: CrossEncoderTask = {
  role: 'rerank',
  passage: 'second',
  answers: 1,
  operation: 'reranking',
  plugin: { name: '@kebab/plugin-test', version: '0.0.0' },
  kind: 'reranker',
};

async function open(model: string, { task = TASK, modelDir = '/nowhere' } = {}): Promise<CrossEncoder> {
  const encoder = await CrossEncoder.open({ model, modelDir, threads: 1 }, task);
  opened.push(encoder);
  return encoder;
}

function tinyFolder(labels?: readonly string[]): string {
  const folder = newFolder();
  writeTinyCrossEncoder(folder, { texts: ['red green blue'], ...(labels === undefined ? {} : { labels }) });
  return folder;
}

const pair = { text: 'red', passage: 'red green' };

describe('CrossEncoder', () => {
  it('rejects an empty name, an unknown one, and that of a model for another purpose', async () => {
    const failure = { code: 'config_invalid', details: { key: 'models.rerank.model' } };
    await expect(open(' ')).rejects.toMatchObject({
      ...failure,
      details: { suggestion: 'Xenova/ms-marco-MiniLM-L-6-v2' },
    });
    await expect(open('Xenova/bge-reranker-bas')).rejects.toMatchObject({
      ...failure,
      details: { suggestion: 'Xenova/bge-reranker-base' },
    });
    await expect(open('multilingual-e5-small')).rejects.toMatchObject({
      ...failure,
      message: 'multilingual-e5-small is a model for embedding, not for rerank',
    });
    await expect(open('multilingual-e5-small', { task: { ...TASK, role: 'nli' } })).rejects.toMatchObject({
      details: { key: 'models.nli.model' },
    });
  });

  it('rejects a table of token vectors, and a model with a different output', async () => {
    const folder = newFolder();
    writeTinyTable(folder, [{ name: 'embeddings', dtype: 'F32', shape: [TINY_WORDS.length, 8], data: tinyTable() }]);
    const failure = { code: 'config_invalid', details: { key: 'models.rerank.model' } };
    await expect(open(folder)).rejects.toMatchObject(failure);
    const encoder = await open(tinyFolder(['entailment', 'neutral', 'contradiction']));
    await expect(encoder.judge([pair])).rejects.toMatchObject({
      ...failure,
      message: expect.stringContaining('answers 3 numbers for a pair, not 1') as unknown,
    });
  });

  it('names the plugin of a model that returns no numbers', async () => {
    const folder = newFolder();
    writeTinyCrossEncoder(folder, { texts: ['red'], isBroken: true });
    await expect((await open(folder)).judge([pair])).rejects.toMatchObject({
      code: 'plugin_failed',
      details: { plugin: '@kebab/plugin-test', kind: 'reranker', stage: 'run' },
    });
  });

  it('has a different fingerprint for other files and another window, regardless of their location', async () => {
    const folder = tinyFolder();
    const prints = [(await open(folder)).fingerprint()];
    expect((await open(folder)).fingerprint()).toBe(prints[0]);
    writeFileSync(path.join(folder, 'kebab-model.json'), JSON.stringify({ max_tokens: 128 }));
    prints.push((await open(folder)).fingerprint());
    appendFileSync(path.join(folder, 'onnx/model.onnx'), '2\0'); // an empty field of the model
    prints.push((await open(folder)).fingerprint());
    expect(new Set(prints).size).toBe(3);
  });
});

const validate = (value: unknown): unknown => crossEncoderConfigSchema['~standard'].validate(value);
const config = { model: 'Xenova/bge-reranker-base', modelDir: '/data/models' };

describe('crossEncoderConfigSchema', () => {
  it('accepts a model and how to run it', () => {
    expect(validate(config)).toEqual({ value: config });
    const full = { ...config, batchSize: 8, threads: 2 };
    expect(validate(full)).toEqual({ value: full });
    expect(validate({ ...config, model: '' })).toEqual({ value: { ...config, model: '' } });
  });

  it('names what is missing, wrong or unknown', () => {
    expect(validate({ model: 3, modelDir: ' ', batchSize: 0, threads: '2', modeldir: '/x' })).toEqual({
      issues: [
        { message: 'expected a text', path: ['model'] },
        { message: 'expected a text that is not empty', path: ['modelDir'] },
        { message: 'expected a whole number from 1, or nothing', path: ['batchSize'] },
        { message: 'expected a whole number from 1, or nothing', path: ['threads'] },
        { message: 'unknown key', path: ['modeldir'] },
      ],
    });
    expect(validate(null)).toEqual({ issues: [{ message: 'expected a table' }] });
  });
});

describe('the threads of a model', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [8, 7],
    [64, 8],
  ])('on %d processors are %d', (cores, threads) => {
    expect(defaultThreads(cores)).toBe(threads);
  });
});
