import { rmSync } from 'node:fs';
import path from 'node:path';
import { env } from '@huggingface/transformers';
import type { EmbedInput } from '@kebab/core';
import { describe, expect, it } from 'vitest';
import { ContextualModel, sentenceOutput } from '../../src/encode/contextual-model.ts';
import type { TextModelSpec } from '../../src/encode/text-model.ts';
import { TINY_WORDS, tinyTable, writeTinyModel, type TinyModelOptions } from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';
import { specFor } from './model-spec.ts';

const newFolder = tempFolders();

async function openTiny(told: Partial<TextModelSpec> = {}, options: TinyModelOptions = {}): Promise<ContextualModel> {
  const folder = newFolder();
  writeTinyModel(folder, options);
  const spec = await specFor(folder, told);
  return ContextualModel.open(spec, spec.weights.file);
}

async function embed(model: ContextualModel, ...texts: readonly string[]): Promise<readonly (Float32Array | null)[]> {
  const inputs = texts.map((text): EmbedInput => ({ text, kind: 'document' }));
  return model.embed(inputs, () => {});
}

/** The unit vector of the sum of words, by hand. */
function sumOf(...words: readonly string[]): readonly number[] {
  const table = tinyTable();
  const sum = Array.from({ length: 8 }, (_, at) =>
    words.reduce((total, word) => total + (table[TINY_WORDS.indexOf(word) * 8 + at] ?? Number.NaN), 0),
  );
  const length = Math.hypot(...sum);
  return sum.map((x) => x / length);
}

function closeTo(numbers: readonly number[]): readonly unknown[] {
  return numbers.map((x) => expect.closeTo(x, 5) as unknown);
}

describe('ContextualModel', () => {
  it('returns the normalised mean of all token vectors, including special tokens', async () => {
    const model = await openTiny();
    const [vector] = await embed(model, 'Red apple');
    expect([...(vector ?? [])]).toEqual(closeTo(sumOf('[CLS]', 'red', 'apple', '[SEP]')));
    await model.release();
  });

  it('returns the vector of the first token with cls pooling', async () => {
    const [vector] = await embed(await openTiny({ pooling: 'cls' }), 'red apple');
    expect([...(vector ?? [])]).toEqual(closeTo(sumOf('[CLS]')));
  });

  it("returns the model's own vector of the text if it has one", async () => {
    const model = await openTiny({}, { output: 'sentence' });
    const [vector] = await embed(model, 'red apple');
    expect([...(vector ?? [])]).toEqual(closeTo(sumOf('[CLS]', 'red', 'apple', '[SEP]')));
    const [other] = await embed(await openTiny({}, { output: 'both' }), 'red apple');
    expect([...(other ?? [])]).not.toEqual(closeTo(sumOf('[CLS]', 'red', 'apple', '[SEP]')));
  });

  it('returns the same vectors for texts in a batch and alone, whatever their lengths', async () => {
    const model = await openTiny();
    const texts = ['red', 'the pie of the sky', 'blue', 'green apple pie', ''];
    const batch = await embed(model, ...texts);
    for (const [n, text] of texts.entries()) expect(batch[n]).toEqual((await embed(model, text))[0]);
  });

  it('puts the prefix of its kind before a text', async () => {
    const model = await openTiny({ prefixes: { query: 'query: ', document: 'passage: ' } });
    const vectors = await model.embed(
      [
        { text: 'red', kind: 'query' },
        { text: 'red', kind: 'document' },
        { text: ' ', kind: 'query' },
      ],
      () => {},
    );
    expect([...(vectors[0] ?? [])]).toEqual(closeTo(sumOf('[CLS]', 'query', ':', 'red', '[SEP]')));
    expect([...(vectors[1] ?? [])]).toEqual(closeTo(sumOf('[CLS]', 'passage', ':', 'red', '[SEP]')));
    expect(vectors[2]).toBeNull();
  });

  it('embeds longer texts in windows, each with the prefix, and returns their mean weighted by length', async () => {
    // Seven tokens a window: [CLS] passage : + three of the text + [SEP]
    const model = await openTiny({ maxTokens: 7, prefixes: { query: '', document: 'passage: ' } });
    const [vector] = await embed(model, 'red green blue apple pie sky');
    const frame = (...words: readonly string[]): readonly number[] => sumOf('[CLS]', 'passage', ':', ...words, '[SEP]');
    const [one, two] = [frame('red', 'green', 'blue'), frame('apple', 'pie', 'sky')];
    const sum = one.map((x, at) => x + (two[at] ?? Number.NaN));
    expect([...(vector ?? [])]).toEqual(closeTo(sum.map((x) => x / Math.hypot(...sum))));
  });

  it('returns null for text without known tokens, and includes unknown tokens otherwise', async () => {
    const model = await openTiny();
    const [unknown, mixed] = await embed(model, 'xylophone ☃', 'red xylophone');
    expect(unknown).toBeNull();
    expect([...(mixed ?? [])]).toEqual(closeTo(sumOf('[CLS]', 'red', '[UNK]', '[SEP]')));
  });

  it('reads vectors in half precision', async () => {
    const [vector] = await embed(await openTiny({}, { isHalf: true }), 'red apple');
    const expected = sumOf('[CLS]', 'red', 'apple', '[SEP]');
    expect([...(vector ?? [])]).toEqual(expected.map((x) => expect.closeTo(x, 2) as unknown));
  });

  it('loads a graph without config.json, with any path and name', async () => {
    const folder = path.join(newFolder(), 'my models', 'é one');
    writeTinyModel(folder, { file: 'my weights v1.2.onnx' });
    rmSync(path.join(folder, 'config.json'));
    const file = path.join(folder, 'my weights v1.2.onnx');
    const weights = { kind: 'onnx', file, precision: 'fp32' } as const;
    const told = { prefixes: { query: '', document: '' }, maxTokens: 16, pooling: 'mean', precision: 'fp32' } as const;
    const spec = { ...told, folder, weights, dimensions: null, batchSize: 4, threads: 1 };
    const [vector] = await embed(await ContextualModel.open(spec, file), 'red');
    expect([...(vector ?? [])]).toEqual(closeTo(sumOf('[CLS]', 'red', '[SEP]')));
  });

  it('uses no network and keeps no cache', async () => {
    const folder = newFolder();
    writeTinyModel(folder);
    const missing = path.join(folder, 'missing.onnx');
    await expect(ContextualModel.open(await specFor(folder), missing)).rejects.toThrow('not found locally');
    expect([env.allowRemoteModels, env.useFSCache]).toEqual([false, false]);
  });

  it('calls the checkpoint between batches', async () => {
    const model = await openTiny({ precision: 'q8' });
    let asked = 0;
    const stop = new Error('enough');
    const work = model.embed(
      Array.from({ length: 50 }, () => ({ text: 'red', kind: 'query' })),
      () => {
        if (++asked > 60) throw stop;
      },
    );
    await expect(work).rejects.toBe(stop);
    expect(asked).toBe(61);
  });
});

const tokens = { name: 'last_hidden_state', shape: ['batch', 'length', 8] };
const sentence = { name: 'sentence_embedding', shape: ['batch', 8] };
const pooler = { name: 'pooler_output', shape: ['batch', 8] };

describe('sentenceOutput', () => {
  it('uses token vectors if the model has no others, with the mean as the default pooling', () => {
    expect(sentenceOutput([tokens], 'auto')).toEqual({ name: tokens.name, pooling: 'mean', dimensions: 8 });
    expect(sentenceOutput([tokens], 'cls')).toMatchObject({ pooling: 'cls' });
  });

  it("prefers the model's own sentence vector, and uses token vectors if pooling is configured", () => {
    expect(sentenceOutput([tokens, sentence], 'auto')).toMatchObject({ name: sentence.name, pooling: 'none' });
    expect(sentenceOutput([tokens, sentence], 'mean')).toMatchObject({ name: tokens.name, pooling: 'mean' });
    expect(sentenceOutput([tokens, sentence], 'none')).toMatchObject({ name: sentence.name, pooling: 'none' });
  });

  it('uses the pooled output of BERT as a sentence vector only if there is nothing else', () => {
    expect(sentenceOutput([tokens, pooler], 'auto')).toMatchObject({ name: tokens.name, pooling: 'mean' });
    expect(sentenceOutput([pooler], 'auto')).toMatchObject({ name: pooler.name, pooling: 'none' });
  });

  it('has no dimensions if the model does not declare them', () => {
    expect(sentenceOutput([{ name: 'x', shape: ['batch', 'length', 'width'] }], 'mean').dimensions).toBeNull();
  });

  it('rejects a model with a different output', () => {
    expect(() => sentenceOutput([{ name: 'loss', shape: [1] }], 'auto')).toThrow(
      'it answers loss, no vectors of texts',
    );
    expect(() => sentenceOutput([tokens], 'none')).toThrow('no vectors of texts');
  });
});
