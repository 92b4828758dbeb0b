import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTokenizer, textPieces } from '../../src/encode/text-tokenizer.ts';
import { TINY_WORDS, writeTinyModel } from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();
const goOn = (): void => {};

/** A tokenizer like that of XLM-RoBERTa, which the E5 family uses: pieces with a mark at the beginning of a word. */
function writeUnigram(folder: string): void {
  const pieces = [
    '<s>',
    '<pad>',
    '</s>',
    '<unk>',
    '▁',
    ':',
    'query',
    '▁query',
    '▁red',
    '▁apple',
    'apple',
    'red',
    '▁a',
    '▁가',
    '나',
  ];
  const special = ['<s>', '<pad>', '</s>', '<unk>'].map((content, id) => ({ id, content, special: true }));
  const mark = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', add_prefix_space: true };
  const edge = (id: string): object => ({ SpecialToken: { id, type_id: 0 } });
  writeFileSync(
    path.join(folder, 'tokenizer.json'),
    JSON.stringify({
      added_tokens: special,
      normalizer: { type: 'NFKC' },
      pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, mark] },
      post_processor: {
        type: 'TemplateProcessing',
        single: [edge('<s>'), { Sequence: { id: 'A', type_id: 0 } }, edge('</s>')],
        pair: [],
        special_tokens: {
          '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] },
          '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] },
        },
      },
      decoder: mark,
      model: { type: 'Unigram', unk_id: 3, vocab: pieces.map((piece, id) => [piece, id < 4 ? 0 : -piece.length]) },
    }),
  );
}

describe('TextTokenizer', () => {
  it('separates the tokens of a text from special tokens', async () => {
    const folder = newFolder();
    writeTinyModel(folder);
    const tokenizer = await loadTokenizer(folder);
    const words = (await tokenizer.ids('The RED apple?', goOn)).map((id) => TINY_WORDS[id]);
    expect(words).toEqual(['the', 'red', 'apple', '[UNK]']);
    expect([tokenizer.head, tokenizer.tail, tokenizer.unknownId, tokenizer.padId]).toEqual([[2], [3], 1, 0]);
  });

  it('provides special tokens and prefix of a tokenizer like that of E5', async () => {
    const folder = newFolder();
    writeUnigram(folder);
    writeFileSync(path.join(folder, 'tokenizer_config.json'), JSON.stringify({ pad_token: '<pad>' }));
    const tokenizer = await loadTokenizer(folder);
    expect([tokenizer.head, tokenizer.tail, tokenizer.unknownId, tokenizer.padId]).toEqual([[0], [2], 3, 1]);
    const prefix = await tokenizer.ids('query:', goOn);
    expect(prefix).toEqual([7, 5]);
    expect(await tokenizer.ids('query: red apple', goOn)).toEqual([...prefix, 8, 9]);
  });

  it('returns the same tokens for a text in pieces and as a whole, and calls the checkpoint before each piece', async () => {
    const folder = newFolder();
    writeUnigram(folder);
    const tokenizer = await loadTokenizer(folder);
    let asked = 0;
    const ids = await tokenizer.ids('red apple 가나 '.repeat(4000), () => void asked++);
    expect(asked).toBeGreaterThan(5);
    expect(ids).toEqual(Array.from({ length: 4000 }, () => [8, 9, 13, 14]).flat());
  });
});

describe('textPieces', () => {
  it.each(['', 'a', 'one two three four five', 'x'.repeat(50), '😀'.repeat(30), `${'y'.repeat(9)} ${'z'.repeat(40)}`])(
    'splits %j into pieces that add up to the text',
    (text) => {
      const pieces = [...textPieces(text, 10)];
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(10);
    },
  );

  it('splits at white space if possible', () => {
    expect([...textPieces('one two three four', 10)]).toEqual(['one two', ' three', ' four']);
  });

  it('never splits a character', () => {
    for (const piece of textPieces(`a${'😀'.repeat(20)}`, 10)) expect(encodeURIComponent(piece)).not.toBe(''); // throws for half a character
    expect([...textPieces(`a${'😀'.repeat(3)}`, 4)]).toEqual(['a😀', '😀😀']);
  });
});
