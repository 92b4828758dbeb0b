import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../src/encode/load-tokenizer.ts';
import type { PairFrame } from '../../src/encode/pair-frame.ts';
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

  it('takes a tokenizer without a frame for what it is', async () => {
    const nothing = { ids: [], typeIds: [] };
    expect(await frameOf(null)).toEqual({ before: nothing, between: nothing, after: nothing, types: [0, 0] });
  });

  it('refuses a tokenizer that drops the second text', async () => {
    await expect(frameOf({ type: 'ByteLevel', add_prefix_space: false, trim_offsets: true })).rejects.toThrow(
      'does not take pairs',
    );
  });
});
