import { mkdirSync, writeFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { numbersFrom } from '@kebab/testing';
import { writeOnnx, type OnnxGraph } from './onnx-writer.ts';

/** The special tokens of every tiny vocabulary. */
export const TINY_SPECIALS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];

/** Properties of a tiny tokenizer. */
interface TinyTokenizerOptions {
  /** Its vocabulary, in the order of their ids: {@link TINY_SPECIALS} first. */
  readonly words: readonly string[];
  /** The window of the model, special tokens included. */
  readonly maxTokens: number;
  /** The post-processor in `tokenizer.json`; that of BERT by default, null for none. */
  readonly frame?: object | null;
}

/** Writes `tokenizer.json` and `tokenizer_config.json` of a WordPiece tokenizer with the given vocabulary, creating the folder. */
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

/** The vocabulary of a tiny model, including special tokens. */
export const TINY_WORDS = [...TINY_SPECIALS, ...'a query passage : red green blue apple pie sky the of'.split(' ')];

/** Properties of a tiny model. */
export interface TinyModelOptions {
  /** `tokens`: token vectors; `sentence`: one vector per text; `both`, where the sentence vector is not the mean of the token vectors. */
  readonly output?: 'tokens' | 'sentence' | 'both';
  /** Whether its token vectors are in half precision. */
  readonly isHalf?: boolean;
  /** 8 by default. */
  readonly dimensions?: number;
  /** Its window, special tokens included; 16 by default. */
  readonly maxTokens?: number;
  /** The path of the weights; `onnx/model.onnx` by default. */
  readonly file?: string;
}

/**
 * Writes a folder with an ONNX model that looks up word vectors, and its WordPiece tokenizer: small enough to create for each test, and
 * simple enough to compute its output by hand with {@link tinyTable}.
 */
export function writeTinyModel(
  folder: string,
  {
    output = 'tokens',
    isHalf = false,
    dimensions = 8,
    maxTokens = 16,
    file = 'onnx/model.onnx',
  }: TinyModelOptions = {},
): void {
  writeTinyTokenizer(folder, { words: TINY_WORDS, maxTokens });
  writeJson(path.join(folder, 'config.json'), {
    model_type: 'bert',
    hidden_size: dimensions,
    max_position_embeddings: maxTokens,
  });
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, writeOnnx(isHalf ? halfGraph(dimensions) : graphOf(output, dimensions)));
}

/** Writes a folder with a table of word vectors in model2vec format, and the same tokenizer without special tokens. */
export function writeTinyTable(folder: string, tensors: readonly TinyTensor[]): void {
  writeTinyTokenizer(folder, { words: TINY_WORDS, maxTokens: 1e30, frame: null });
  writeFileSync(path.join(folder, 'model.safetensors'), safetensors(tensors));
}

/** A tensor of a safetensors file. */
export interface TinyTensor {
  readonly name: string;
  readonly dtype: 'F32' | 'F16' | 'I8' | 'I64' | 'F64' | 'BF16';
  readonly shape: readonly number[];
  readonly data: ArrayBufferView;
}

/** The vectors of {@link TINY_WORDS}, one after the other, which a tiny model looks up. */
export function tinyTable(dimensions = 8): Float32Array {
  const random = numbersFrom(7);
  return Float32Array.from({ length: TINY_WORDS.length * dimensions }, () => random() - 0.5);
}

function graphOf(output: 'tokens' | 'sentence' | 'both', dimensions: number): OnnxGraph {
  const axes = { axes: [1], keepdims: 0 };
  const tokens = { name: 'last_hidden_state', shape: ['batch', 'length', dimensions] };
  const sentence = { name: 'sentence_embedding', shape: ['batch', dimensions] };
  return {
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({ name, shape: ['batch', 'length'] })),
    constants: [{ name: 'table', shape: [TINY_WORDS.length, dimensions], data: tinyTable(dimensions) }],
    nodes: [
      { op: 'Gather', inputs: ['table', 'input_ids'], output: tokens.name },
      ...(output === 'tokens'
        ? []
        : [
            {
              op: output === 'both' ? 'ReduceMax' : 'ReduceMean',
              inputs: [tokens.name],
              output: sentence.name,
              attributes: axes,
            },
          ]),
    ],
    outputs: output === 'tokens' ? [tokens] : output === 'sentence' ? [sentence] : [tokens, sentence],
  };
}

function halfGraph(dimensions: number): OnnxGraph {
  const { nodes, outputs, ...graph } = graphOf('tokens', dimensions);
  const [full] = outputs as readonly [OnnxGraph['outputs'][number]];
  const half = { ...full, name: 'half', isHalf: true };
  return {
    ...graph,
    nodes: [...nodes, { op: 'Cast', inputs: [full.name], output: half.name, attributes: { to: 10 } }],
    outputs: [half],
  };
}

function safetensors(tensors: readonly TinyTensor[]): Uint8Array {
  let at = 0;
  const header = Object.fromEntries(
    tensors.map(({ name, dtype, shape, data }) => [
      name,
      { dtype, shape, data_offsets: [at, (at += data.byteLength)] },
    ]),
  );
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const bodies = tensors.map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return Buffer.concat([length, json, ...bodies]);
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, JSON.stringify(value));
}

/** The folder of a model beside the repository, or null if missing; tests that need it are then skipped. */
export function sharedModel(name: string): string | null {
  const folder = fileURLToPath(new URL(`../../../../../shared/models/${name}`, import.meta.url));
  return existsSync(folder) ? folder : null;
}
