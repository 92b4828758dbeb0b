import { open, type FileHandle } from 'node:fs/promises';
import type { EmbedInput } from '@kebab/core';
import type { Checkpoint, TextModel, TextModelSpec } from './text-model.ts';
import { halfToFloat, halvesToFloats, VectorMean } from './rows.ts';
import { loadTokenizer, type TextTokenizer } from './text-tokenizer.ts';
import { readTensorBytes, readTensorEntries, type TensorEntry } from './safetensors.ts';

/** A matrix as stored, row by row. */
interface TokenTable {
  readonly rows: number;
  readonly dimensions: number;
  /** Adds a row to a sum. */
  readonly addTo: (sum: VectorMean, row: number, weight: number) => void;
}

/** Additional tensors of newer models. */
interface TokenMaps {
  /** The row of a token; null when it is the token's id. */
  readonly rowOf: ArrayLike<number> | null;
  /** The weight of a token; null if all have the same. */
  readonly weightOf: Float32Array | null;
}

/**
 * A table of token vectors (model2vec): the vector of a text is the mean of its tokens' vectors, ignoring unknown tokens. It needs no
 * window, and no library except the tokenizer.
 */
export class StaticModel implements TextModel {
  readonly #tokenizer: TextTokenizer;
  readonly #table: TokenTable;
  readonly #maps: TokenMaps;
  readonly dimensions: number;

  private constructor(tokenizer: TextTokenizer, table: TokenTable, maps: TokenMaps) {
    this.#tokenizer = tokenizer;
    this.#table = table;
    this.#maps = maps;
    this.dimensions = table.dimensions;
  }

  static async open({ folder }: TextModelSpec, file: string): Promise<StaticModel> {
    const tokenizer = await loadTokenizer(folder);
    const handle = await open(file, 'r');
    try {
      const entries = await readTensorEntries(handle);
      const embeddings = entries.get('embeddings');
      if (embeddings === undefined) throw new Error('it has no tensor "embeddings"');
      const [table, rowOf, weightOf] = [
        await readTable(handle, embeddings),
        await readNumbers(handle, entries.get('mapping')),
        await readNumbers(handle, entries.get('weights')),
      ];
      return new StaticModel(tokenizer, table, {
        rowOf,
        weightOf: weightOf === null ? null : Float32Array.from(weightOf),
      });
    } finally {
      await handle.close();
    }
  }

  async embed(inputs: readonly EmbedInput[], checkpoint: Checkpoint): Promise<readonly (Float32Array | null)[]> {
    const vectors: (Float32Array | null)[] = [];
    for (const { text } of inputs) {
      const mean = new VectorMean(this.dimensions);
      for (const id of await this.#tokenizer.ids(text, checkpoint)) this.#add(mean, id);
      vectors.push(mean.unit());
    }
    return vectors;
  }

  async release(): Promise<void> {}

  #add(mean: VectorMean, id: number): void {
    const { rowOf, weightOf } = this.#maps;
    const row = rowOf === null ? id : (rowOf[id] ?? -1);
    if (id === this.#tokenizer.unknownId || row < 0 || row >= this.#table.rows) return;
    this.#table.addTo(mean, row, weightOf?.[id] ?? 1);
  }
}

async function readTable(handle: FileHandle, entry: TensorEntry): Promise<TokenTable> {
  const [rows, dimensions] = entry.shape as [number, number];
  const { buffer } = await readTensorBytes(handle, entry);
  const numbers = tableNumbers(buffer, entry.dtype);
  return {
    rows,
    dimensions,
    addTo: (sum, row, weight) => {
      const offset = row * dimensions;
      if (numbers instanceof Uint16Array)
        sum.add(Float32Array.from(numbers.subarray(offset, offset + dimensions), halfToFloat), { weight });
      else sum.add(numbers, { offset, weight });
    },
  };
}

/** The numbers of a table. A common scale is ignored, because only the direction matters. */
function tableNumbers(buffer: ArrayBuffer, dtype: string): Float32Array | Uint16Array | Int8Array {
  switch (dtype) {
    case 'F32':
      return new Float32Array(buffer);
    case 'F16':
      return new Uint16Array(buffer);
    case 'I8':
      return new Int8Array(buffer);
    default:
      throw new Error(`its vectors are stored as ${dtype}, which is none of F32, F16, I8`);
  }
}

async function readNumbers(handle: FileHandle, entry: TensorEntry | undefined): Promise<ArrayLike<number> | null> {
  if (entry === undefined) return null;
  const { buffer } = await readTensorBytes(handle, entry);
  switch (entry.dtype) {
    case 'I64':
      return Float64Array.from(new BigInt64Array(buffer), Number);
    case 'I32':
      return new Int32Array(buffer);
    case 'F64':
      return new Float64Array(buffer);
    case 'F32':
      return new Float32Array(buffer);
    case 'F16':
      return halvesToFloats(new Uint16Array(buffer));
    default:
      throw new Error(`it has a tensor of ${entry.dtype}, which cannot be read`);
  }
}
