import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../src/encode/text-tokenizer.ts';
import { type PairFrame, frameLength, pairRow, pairWindows } from '../../src/encode/pair-frame.ts';
import { writeTinyModel } from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();

/** The frame of a tokenizer with another post-processor; [CLS] is 2, [SEP] is 3. */
async function frameOf(processor?: object | null): Promise<PairFrame> {
  const folder = newFolder();
  writeTinyModel(folder);
  const file = path.join(folder, 'tokenizer.json');
  const json = JSON.parse(readFileSync(file, 'utf8')) as object;
  if (processor !== undefined) writeFileSync(file, JSON.stringify({ ...json, post_processor: processor }));
  return (await loadTokenizer(folder)).pairFrame();
}

describe('pairFrame', () => {
  it('finds the special tokens of BERT, and which text each token belongs to', async () => {
    expect(await frameOf()).toEqual({
      before: { ids: [2], typeIds: [0] },
      between: { ids: [3], typeIds: [0] },
      after: { ids: [3], typeIds: [1] },
      types: [0, 1],
    });
  });

  it('finds two marks between the texts, as XLM-RoBERTa has them, and one type for all', async () => {
    const mark = (id: string): object => ({ SpecialToken: { id, type_id: 0 } });
    const text = (id: string): object => ({ Sequence: { id, type_id: 0 } });
    const frame = await frameOf({
      type: 'TemplateProcessing',
      single: [mark('[CLS]'), text('A'), mark('[SEP]')],
      pair: [mark('[CLS]'), text('A'), mark('[SEP]'), mark('[SEP]'), text('B'), mark('[SEP]')],
      special_tokens: {},
    });
    expect(frame).toMatchObject({ between: { ids: [3, 3], typeIds: [0, 0] }, after: { ids: [3] }, types: [0, 0] });
  });

  it('supports a tokenizer without special tokens', async () => {
    const nothing = { ids: [], typeIds: [] };
    expect(await frameOf(null)).toEqual({ before: nothing, between: nothing, after: nothing, types: [0, 0] });
  });

  it('rejects a tokenizer that drops the second text', async () => {
    await expect(frameOf({ type: 'ByteLevel', add_prefix_space: false, trim_offsets: true })).rejects.toThrow(
      'does not take pairs',
    );
  });
});

const FRAME: PairFrame = {
  before: { ids: [101], typeIds: [0] },
  between: { ids: [102], typeIds: [0] },
  after: { ids: [102], typeIds: [1] },
  types: [0, 1],
};
const idsUpTo = (count: number): readonly number[] => Array.from({ length: count }, (_, id) => id);

describe('pairWindows', () => {
  it('does not split a pair that fits', () => {
    expect(pairWindows([1, 2], [3, 4, 5], 5)).toEqual({ parts: [[1, 2]], windows: [[3, 4, 5]] });
    expect(pairWindows([], [], 5)).toEqual({ parts: [[]], windows: [[]] });
  });

  it('gives the passage all the room left by the text', () => {
    const { parts, windows } = pairWindows(idsUpTo(4), idsUpTo(20), 12);
    expect(parts).toEqual([idsUpTo(4)]);
    expect(Math.max(...windows.map((window) => window.length))).toBe(8);
  });

  it('keeps a text whole up to three quarters of the room, and splits a longer one', () => {
    expect(pairWindows(idsUpTo(75), idsUpTo(100), 100).parts).toHaveLength(1);
    const { parts } = pairWindows(idsUpTo(76), idsUpTo(100), 100);
    expect(parts.map((part) => part.length)).toEqual([41, 41]);
  });

  it.each([
    [0, 0, 2],
    [1, 9, 2],
    [9, 1, 2],
    [50, 300, 10],
    [8, 8, 16],
    [300, 500, 64],
    [12, 1000, 509],
  ])('puts every token of %i and of %i into a row, and no more than %i into any', (text, passage, room) => {
    const { parts, windows } = pairWindows(idsUpTo(text), idsUpTo(passage), room);
    expect(new Set(parts.flat())).toEqual(new Set(idsUpTo(text)));
    expect(new Set(windows.flat())).toEqual(new Set(idsUpTo(passage)));
    for (const part of parts)
      for (const window of windows) expect(part.length + window.length).toBeLessThanOrEqual(room);
  });
});

describe('pairRow', () => {
  it('puts two texts into their frame, with the types of all tokens', () => {
    expect(pairRow(FRAME, [7, 8], [9])).toEqual({ ids: [101, 7, 8, 102, 9, 102], typeIds: [0, 0, 0, 0, 1, 1] });
    expect(pairRow(FRAME, [], [])).toEqual({ ids: [101, 102, 102], typeIds: [0, 0, 1] });
    expect(frameLength(FRAME)).toBe(3);
  });
});
