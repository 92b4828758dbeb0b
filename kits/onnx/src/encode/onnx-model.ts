import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { halvesToFloats } from './vector-mean.ts';

/** The tokens of one input, special tokens included. */
export interface TokenRow {
  readonly ids: readonly number[];
  /** For two texts in one row: 0 for tokens of the first, 1 for those of the second; all 0 by default. */
  readonly typeIds?: readonly number[];
}

/** What a model answered under one name, with as many rows as it was given. */
export interface ModelOutput {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** An answer of a model as it is declared; a dimension that depends on the input is a name. */
export interface OutputShape {
  readonly name: string;
  readonly shape: readonly (number | string)[];
}

/** Where a model's weights lie and how it is run. */
export interface OnnxModelOptions {
  readonly file: string;
  /** Threads of one run. */
  readonly threads: number;
  /** Fills the shorter rows of a batch. */
  readonly padId: number;
}

/** An ONNX session that takes rows of tokens. It blocks the thread it runs on: use it in a worker. */
export class OnnxModel {
  readonly #session: InferenceSession;
  readonly #newTensor: (values: BigInt64Array, shape: readonly number[]) => Tensor;
  readonly #padId: number;
  readonly outputs: readonly OutputShape[];

  private constructor(
    session: InferenceSession,
    newTensor: (values: BigInt64Array, shape: readonly number[]) => Tensor,
    padId: number,
  ) {
    this.#session = session;
    this.#newTensor = newTensor;
    this.#padId = padId;
    this.outputs = session.outputMetadata.map((output) => ({
      name: output.name,
      shape: output.isTensor ? output.shape : [],
    }));
  }

  /** Loads a model. Throws what the library throws for a file that it cannot read. */
  static async open({ file, threads, padId }: OnnxModelOptions): Promise<OnnxModel> {
    const ort = await import('onnxruntime-node');
    const session = await ort.InferenceSession.create(file, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
      extra: { session: { intra_op: { allow_spinning: '0' } } }, // a third of the CPU of a busy machine
    });
    return new OnnxModel(session, (values, shape) => new ort.Tensor('int64', values, shape), padId);
  }

  /** Answers one output for a batch of rows. */
  async run(rows: readonly TokenRow[], output: string): Promise<ModelOutput> {
    const length = rows.reduce((longest, { ids }) => Math.max(longest, ids.length), 0);
    const shape = [rows.length, length];
    const feeds: Record<string, Tensor> = {};
    for (const name of this.#session.inputNames) {
      const values = new BigInt64Array(rows.length * length);
      rows.forEach((row, at) =>
        fill(name, row, { values, from: at * length, to: (at + 1) * length, padId: this.#padId }),
      );
      feeds[name] = this.#newTensor(values, shape);
    }
    const tensor = (await this.#session.run(feeds, [output]))[output] as Tensor;
    return { data: floatsOf(tensor), shape: tensor.dims };
  }

  /** Frees the memory of the model. */
  release(): Promise<void> {
    return this.#session.release();
  }
}

interface Cells {
  readonly values: BigInt64Array;
  readonly from: number;
  readonly to: number;
  readonly padId: number;
}

/** Writes one row of an input. Throws for an input that no text model known to us has. */
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

function floatsOf({ data, type }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type === 'float16' && data instanceof Uint16Array) return halvesToFloats(data);
  if (type === 'float16') return Float32Array.from(data as unknown as ArrayLike<number>); // Node with Float16Array
  throw new Error(`it answers ${type} instead of floating-point numbers`);
}
