import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { numbersFrom } from '@kebab/testing';
import { writeOnnx, type OnnxGraph, type OnnxNode } from './onnx-writer.ts';
import { TINY_SPECIALS, writeTinyTokenizer } from './tiny-model.ts';

/** Properties of a tiny cross-encoder. */
export interface TinyCrossEncoderOptions {
  /** The texts whose words are its vocabulary. */
  readonly texts: readonly string[];
  /** The labels of its outputs in order; by default one output without a label. Null for a `config.json` without labels. */
  readonly labels?: readonly string[] | null;
  /** The number of outputs if there are no labels. */
  readonly answers?: number;
  /** Its window, special tokens included; 512 by default. */
  readonly maxTokens?: number;
  /** The path of the weights; `onnx/model.onnx` by default. */
  readonly file?: string;
  /** Whether it returns NaN. */
  readonly isBroken?: boolean;
  /** Whether it has token types as input; true by default. Without, all tokens count for both texts. */
  readonly hasTypes?: boolean;
  /** The post-processor in `tokenizer.json`; that of BERT by default, null for none. */
  readonly frame?: object | null;
}

const DIMENSIONS = 64;

/** Slope and intercept of an output as a function of the overlap of two texts. */
const ANSWERS: Readonly<Record<string, { readonly factor: number; readonly start: number }>> = {
  entailment: { factor: 12, start: -6 },
  neutral: { factor: 0, start: 0 },
  contradiction: { factor: -6, start: -1 },
};
const SCORE = { factor: 12, start: -6 };

/**
 * Writes a folder with a cross-encoder whose outputs depend on the cosine between the words of the two texts of a row, and its WordPiece
 * tokenizer: it is not trained, but it handles masks, types and pairs like a real one.
 */
export function writeTinyCrossEncoder(folder: string, options: TinyCrossEncoderOptions): void {
  const { texts, labels = ['LABEL_0'], maxTokens = 512, file = 'onnx/model.onnx', frame } = options;
  const words = tinyWords(texts);
  writeTinyTokenizer(folder, { words, maxTokens, ...(frame === undefined ? {} : { frame }) });
  const config = {
    model_type: 'bert',
    hidden_size: DIMENSIONS,
    max_position_embeddings: maxTokens,
    ...(labels === null ? {} : { id2label: Object.fromEntries(labels.map((label, id) => [String(id), label])) }),
  };
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify(config));
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, writeOnnx(graphOf(words, options)));
}

/** The vocabulary of a tiny cross-encoder for the words of some texts. */
export function tinyWords(texts: readonly string[]): readonly string[] {
  return [...TINY_SPECIALS, ...new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []))];
}

/** The cosine between the sums of the vectors of words, from which a tiny cross-encoder computes its outputs; 0 for unknown words. */
export function tinyOverlap(vocabulary: readonly string[], one: readonly string[], other: readonly string[]): number {
  const table = tableOf(vocabulary);
  const sumOf = (words: readonly string[]): readonly number[] =>
    Array.from({ length: DIMENSIONS }, (_, at) =>
      words.reduce((sum, word) => sum + (table[vocabulary.indexOf(word) * DIMENSIONS + at] ?? 0), 0),
    );
  const dot = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, at) => sum + x * (b[at] ?? 0), 0);
  const [a, b] = [sumOf(one), sumOf(other)];
  return dot(a, b) / (Math.sqrt(dot(a, a) * dot(b, b)) + EPSILON);
}

const EPSILON = 1e-6;

/** One vector per word; special tokens and unknown words have none. */
function tableOf(words: readonly string[]): Float32Array {
  const random = numbersFrom(11);
  const table = Float32Array.from({ length: words.length * DIMENSIONS }, () => random() - 0.5);
  return table.fill(0, 0, TINY_SPECIALS.length * DIMENSIONS);
}

function graphOf(words: readonly string[], options: TinyCrossEncoderOptions): OnnxGraph {
  const { labels = ['LABEL_0'], answers = labels?.length ?? 1, isBroken = false, hasTypes = true } = options;
  const meanings = Array.from({ length: answers }, (_, n) => ANSWERS[labels?.[n]?.toLowerCase() ?? ''] ?? SCORE);
  const constant = (name: string, shape: readonly number[], values: readonly number[]) => ({
    name,
    shape,
    data: Float32Array.from(values),
  });
  const whole = (name: string, values: readonly bigint[]) => ({
    name,
    shape: [values.length],
    data: BigInt64Array.from(values),
  });
  const node = (op: string, inputs: readonly string[], output: string): OnnxNode => ({ op, inputs, output });
  const cast = (input: string, output: string): OnnxNode => ({
    op: 'Cast',
    inputs: [input],
    output,
    attributes: { to: 1 },
  });
  /** The sum of the vectors of the tokens whose share is 1, and the square of its length. */
  const sum = (share: string, name: string): readonly OnnxNode[] => [
    node('Unsqueeze', [share, 'one'], `${name}_row`),
    node('MatMul', [`${name}_row`, 'vectors'], name),
    { op: 'Transpose', inputs: [name], output: `${name}_column`, attributes: { perm: [0, 2, 1] } },
    node('MatMul', [name, `${name}_column`], `${name}_square`),
  ];
  const inputs = ['input_ids', 'attention_mask', ...(hasTypes ? ['token_type_ids'] : [])];
  return {
    inputs: inputs.map((name) => ({ name, shape: ['batch', 'length'] })),
    constants: [
      { name: 'table', shape: [words.length, DIMENSIONS], data: tableOf(words) },
      whole('one', [1n]),
      whole('flat', [-1n, 1n]),
      constant('epsilon', [1], [EPSILON]),
      constant(
        'factors',
        [1, answers],
        meanings.map(({ factor }) => factor),
      ),
      constant(
        'starts',
        [answers],
        meanings.map(({ start }) => (isBroken ? Number.NaN : start)),
      ),
    ],
    nodes: [
      node('Gather', ['table', 'input_ids'], 'vectors'),
      cast('attention_mask', 'seen'),
      ...(hasTypes
        ? [
            cast('token_type_ids', 'type'),
            node('Mul', ['seen', 'type'], 'second'),
            node('Sub', ['seen', 'second'], 'first'),
          ]
        : [node('Identity', ['seen'], 'second'), node('Identity', ['seen'], 'first')]),
      ...sum('first', 'a'),
      ...sum('second', 'b'),
      node('MatMul', ['a', 'b_column'], 'product'),
      node('Mul', ['a_square', 'b_square'], 'squares'),
      node('Sqrt', ['squares'], 'lengths'),
      node('Add', ['lengths', 'epsilon'], 'divisor'),
      node('Div', ['product', 'divisor'], 'cosine'),
      node('Reshape', ['cosine', 'flat'], 'overlap'),
      node('MatMul', ['overlap', 'factors'], 'scaled'),
      node('Add', ['scaled', 'starts'], 'logits'),
    ],
    outputs: [{ name: 'logits', shape: ['batch', answers] }],
  };
}
