import path from 'node:path';
import type { PreTrainedModel, Tensor } from '@huggingface/transformers';
import type { Pooling } from '../manifest/builtin-manifests.ts';
import { halvesToFloats } from './rows.ts';
import { disableTelemetry } from './telemetry.ts';

type Library = typeof import('@huggingface/transformers');

/** The tokens of one input, special tokens included. */
export interface TokenRow {
  readonly ids: readonly number[];
  /** For two texts in one row: 0 for tokens of the first, 1 for those of the second; all 0 by default. */
  readonly typeIds?: readonly number[];
}

/** A declared output of a model; a dimension that depends on the input is a name. */
export interface OutputShape {
  readonly name: string;
  readonly shape: readonly (number | string)[];
}

/** Where a model's weights are and how it is run. */
export interface TransformerOptions {
  /** The absolute path of an `.onnx` file. */
  readonly file: string;
  /** Threads per run. */
  readonly threads: number;
  /** Pads the shorter rows of a batch. */
  readonly padId: number;
}

/** A model run by `@huggingface/transformers` on rows of tokens. It blocks its thread, so use it in a worker. */
export class Transformer {
  readonly #library: Library;
  readonly #model: PreTrainedModel;
  readonly #padId: number;
  readonly #inputs: readonly string[];
  readonly outputs: readonly OutputShape[];

  private constructor(library: Library, model: PreTrainedModel, padId: number) {
    this.#library = library;
    this.#model = model;
    this.#padId = padId;
    const { inputNames, outputMetadata } = model.sessions['model'] as {
      readonly inputNames: readonly string[];
      readonly outputMetadata: readonly { readonly name: string; readonly shape?: readonly (number | string)[] }[];
    };
    this.#inputs = inputNames;
    this.outputs = outputMetadata.map(({ name, shape = [] }) => ({ name, shape })); // outputs that are not tensors have no shape
  }

  /** Loads a model. Throws the library's error for an unreadable file. */
  static async open({ file, threads, padId }: TransformerOptions): Promise<Transformer> {
    const library = await loadLibrary();
    const { dir, name, ext } = path.parse(file);
    if (ext !== '.onnx') throw new Error(`${file} is no .onnx file`);
    const model = await library.PreTrainedModel.from_pretrained(dir, {
      config: new library.PretrainedConfig({ model_type: 'custom' }), // any graph from tokens to numbers, whatever its config.json says
      subfolder: '',
      model_file_name: name,
      dtype: 'fp32', // the file of that name, without a suffix for its precision
      device: 'cpu',
      session_options: {
        intraOpNumThreads: threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        graphOptimizationLevel: 'all',
        logSeverityLevel: 3,
        extra: { session: { intra_op: { allow_spinning: '0' } } }, // spinning takes a third of the CPU on a busy machine
      },
    });
    return new Transformer(library, model, padId);
  }

  /** Returns one output, in single precision, for a batch of rows. */
  async run(rows: readonly TokenRow[], output: string): Promise<Tensor> {
    const length = lengthOf(rows);
    const feeds: Record<string, Tensor> = {};
    for (const name of this.#inputs) {
      const values = new BigInt64Array(rows.length * length);
      rows.forEach((row, at) =>
        fill(name, row, { values, from: at * length, to: (at + 1) * length, padId: this.#padId }),
      );
      feeds[name] = new this.#library.Tensor('int64', values, [rows.length, length]);
    }
    const answers = (await this.#model.forward(feeds)) as Readonly<Record<string, Tensor>>;
    return this.#floats(answers[output] as Tensor);
  }

  /** A vector of length 1 for each row; null if the model returns a zero vector or NaN. */
  async embed(
    rows: readonly TokenRow[],
    { name, pooling }: { readonly name: string; readonly pooling: Exclude<Pooling, 'auto'> },
  ): Promise<readonly (Float32Array | null)[]> {
    const vectors = this.#pool(await this.run(rows, name), rows, pooling).normalize(2, -1);
    const dimensions = vectors.dims.at(-1) as number;
    return rows.map((_, row) => {
      const vector = (vectors.data as Float32Array).subarray(row * dimensions, (row + 1) * dimensions);
      return vector.every(Number.isFinite) ? vector : null;
    });
  }

  /** Frees the memory of the model. */
  async release(): Promise<void> {
    await this.#model.dispose();
  }

  #pool(output: Tensor, rows: readonly TokenRow[], pooling: Exclude<Pooling, 'auto'>): Tensor {
    switch (pooling) {
      case 'mean': {
        const length = lengthOf(rows);
        const mask = new BigInt64Array(rows.length * length);
        rows.forEach(({ ids }, row) => mask.fill(1n, row * length, row * length + ids.length));
        return this.#library.mean_pooling(output, new this.#library.Tensor('int64', mask, [rows.length, length]));
      }
      case 'cls':
        return output.slice(null, 0);
      case 'none':
        return output;
      default:
        return pooling satisfies never;
    }
  }

  #floats(tensor: Tensor): Tensor {
    const { data, type, dims } = tensor;
    if (data instanceof Float32Array) return tensor;
    if (type !== 'float16') throw new Error(`it answers ${type} instead of floating-point numbers`);
    const floats =
      data instanceof Uint16Array ? halvesToFloats(data) : Float32Array.from(data as unknown as ArrayLike<number>); // on Node with Float16Array
    return new this.#library.Tensor('float32', floats, dims);
  }
}

/** The library without network, telemetry, cache and output: files come from `kebab models pull`, which checks them. */
async function loadLibrary(): Promise<Library> {
  disableTelemetry();
  const library = await import('@huggingface/transformers');
  const { env, LogLevel } = library;
  env.allowRemoteModels = false;
  env.useFSCache = false;
  env.logLevel = LogLevel.NONE;
  return library;
}

function lengthOf(rows: readonly TokenRow[]): number {
  return rows.reduce((longest, { ids }) => Math.max(longest, ids.length), 0);
}

interface Cells {
  readonly values: BigInt64Array;
  readonly from: number;
  readonly to: number;
  readonly padId: number;
}

/** Writes one row of an input. Throws for an input that no supported text model has. */
function fill(name: string, { ids, typeIds }: TokenRow, { values, from, to, padId }: Cells): void {
  switch (name) {
    case 'input_ids':
      ids.forEach((id, at) => void (values[from + at] = BigInt(id)));
      if (padId !== 0) values.fill(BigInt(padId), from + ids.length, to);
      return;
    case 'attention_mask':
      values.fill(1n, from, from + ids.length);
      return;
    case 'token_type_ids':
      typeIds?.forEach((id, at) => void (values[from + at] = BigInt(id)));
      return;
    case 'position_ids':
      ids.forEach((_, at) => void (values[from + at] = BigInt(at)));
      return;
    default:
      throw new Error(`it asks for an input "${name}", which a model of text does not need`);
  }
}
