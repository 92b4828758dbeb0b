import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The tokens of every tiny vocabulary that are no words. */
export const TINY_SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** What a tiny tokenizer is like. */
export interface TinyTokenizerOptions {
  /** Its vocabulary, in the order of their ids: {@link TINY_SPECIALS} first. */
  readonly words: readonly string[];
  /** The window of the model, special tokens included. */
  readonly maxTokens: number;
  /** How texts are framed, as `tokenizer.json` says it; null for not at all. Default: as BERT does. */
  readonly frame?: object | null;
}

/** Writes `tokenizer.json` and `tokenizer_config.json` of a WordPiece tokenizer that knows some words, into a folder that it makes. */
export function writeTinyTokenizer(folder: string, { words, maxTokens, frame = FRAME }: TinyTokenizerOptions): void {
  const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
  const special = TINY_SPECIALS.map((content, id) => ({ id, content, special: true, normalized: false }));
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'tokenizer.json'),
    JSON.stringify({
      version: '1.0',
      added_tokens: special,
      normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: frame,
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab,
      },
    }),
  );
  writeFileSync(
    path.join(folder, 'tokenizer_config.json'),
    JSON.stringify({ model_max_length: maxTokens, pad_token: '[PAD]' }),
  );
}

const FRAME = {
  type: 'TemplateProcessing',
  single: [
    { SpecialToken: { id: '[CLS]', type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: '[SEP]', type_id: 0 } },
  ],
  pair: [
    { SpecialToken: { id: '[CLS]', type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: '[SEP]', type_id: 0 } },
    { Sequence: { id: 'B', type_id: 1 } },
    { SpecialToken: { id: '[SEP]', type_id: 1 } },
  ],
  special_tokens: {
    '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
    '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
  },
};
