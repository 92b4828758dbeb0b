import { describe, expect, it } from 'vitest';
import { StaticModel } from '../../src/encode/static-model.ts';
import { TINY_WORDS, sharedModel, tinyTable, writeTinyTable, type TinyTensor } from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';
import { ContextualModel } from '../../src/encode/contextual-model.ts';
import { specFor } from './model-spec.ts';

const newFolder = tempFolders();
const DIMENSIONS = 4;
const SHAPE = [TINY_WORDS.length, DIMENSIONS];

async function vectorOf(text: string, ...tensors: readonly TinyTensor[]): Promise<readonly number[] | null> {
  const folder = newFolder();
  writeTinyTable(folder, tensors);
  const spec = await specFor(folder);
  const model = await StaticModel.open(spec, spec.weights.file);
  const [vector] = await model.embed([{ text, kind: 'document' }], () => {});
  return vector === null || vector === undefined ? null : [...vector];
}

const floats: TinyTensor = { name: 'embeddings', dtype: 'F32', shape: SHAPE, data: tinyTable(DIMENSIONS) };

function unitSum(rows: readonly (readonly [word: string, weight: number])[]): readonly unknown[] {
  const table = tinyTable(DIMENSIONS);
  const sum = Array.from({ length: DIMENSIONS }, (_, at) =>
    rows.reduce(
      (total, [word, weight]) => total + weight * (table[TINY_WORDS.indexOf(word) * DIMENSIONS + at] ?? 0),
      0,
    ),
  );
  return sum.map((x) => expect.closeTo(x / Math.hypot(...sum), 5) as unknown);
}

describe('StaticModel', () => {
  it("returns the normalised mean of its words' vectors, ignoring unknown ones", async () => {
    const expected = unitSum([
      ['red', 1],
      ['apple', 1],
    ]);
    expect(await vectorOf('Red apple', floats)).toEqual(expected);
    expect(await vectorOf('red xylophone apple', floats)).toEqual(expected);
  });

  it('returns null for text without a known word', async () => {
    for (const text of ['', ' \n', 'xylophone', '😀']) expect(await vectorOf(text, floats)).toBeNull();
  });

  it('supports integers, half and single precision', async () => {
    const data = Int8Array.from({ length: TINY_WORDS.length * DIMENSIONS }, (_, at) => (at % DIMENSIONS === 0 ? 2 : 0));
    expect(await vectorOf('red', { ...floats, dtype: 'I8', data })).toEqual([1, 0, 0, 0]);
    const halves = Uint16Array.from(data, (x) => (x === 0 ? 0 : 0xc000));
    expect(await vectorOf('red', { ...floats, dtype: 'F16', data: halves })).toEqual([-1, 0, 0, 0]);
  });

  it('uses token weights and row mappings if the model has them', async () => {
    const weights = Float64Array.from(TINY_WORDS, (word) => (word === 'red' ? 3 : 1));
    const weightTensor: TinyTensor = { name: 'weights', dtype: 'F64', shape: [TINY_WORDS.length], data: weights };
    const expected = unitSum([
      ['red', 3],
      ['apple', 1],
    ]);
    expect(await vectorOf('red apple', floats, weightTensor)).toEqual(expected);
    const rows = BigInt64Array.from(TINY_WORDS, (word) => BigInt(TINY_WORDS.indexOf(word === 'red' ? 'blue' : word)));
    const mapping: TinyTensor = { name: 'mapping', dtype: 'I64', shape: [TINY_WORDS.length], data: rows };
    expect(await vectorOf('red', floats, mapping)).toEqual(unitSum([['blue', 1]]));
  });

  it('rejects numbers of an unsupported type', async () => {
    const data = new Uint16Array(TINY_WORDS.length * DIMENSIONS);
    await expect(vectorOf('red', { ...floats, dtype: 'BF16', data })).rejects.toThrow('stored as BF16');
  });

  const potion = sharedModel('potion-base-4M-int8');
  it.skipIf(potion === null)('agrees with ONNX Runtime on a real model (skipped without ../shared)', async () => {
    const spec = await specFor(potion as string);
    const table = await StaticModel.open(spec, spec.weights.file);
    const wrapped = await ContextualModel.open(spec, `${potion}/onnx/model_quantized.onnx`);
    const inputs = ['How do I reset my password?', 'a cake recipe', 'fn main() { return 42; }'].map(
      (text) => ({ text, kind: 'document' }) as const,
    );
    const [one, other] = [await table.embed(inputs, () => {}), await wrapped.embed(inputs, () => {})];
    for (const [n, vector] of one.entries())
      for (const [at, x] of (vector ?? []).entries()) expect(x).toBeCloseTo(other[n]?.[at] ?? Number.NaN, 5);
  });
});
