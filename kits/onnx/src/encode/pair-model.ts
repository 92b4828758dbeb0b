import type { ModelManifest } from '../manifest/builtin-manifests.ts';
import type { Checkpoint } from './text-model.ts';
import { loadTokenizer, type TextTokenizer } from './text-tokenizer.ts';
import { ModelStageError, stageErrorOf } from './model-stage-error.ts';
import { Transformer, type OutputShape, type TokenRow } from './transformer.ts';
import { type PairFrame, frameLength, pairRow, pairWindows } from './pair-frame.ts';
import { rowBatches } from './rows.ts';

/** The input of a cross-encoder: a query or a claim, and a passage. */
export interface PassagePair {
  readonly text: string;
  readonly passage: string;
}

/** Everything needed to load a cross-encoder, as plain data that can be sent to another thread. */
export interface PairModelSpec extends Pick<ModelManifest, 'maxTokens' | 'precision'> {
  readonly folder: string;
  /** The absolute path of the weights. */
  readonly file: string;
  /** Which of the two texts of a row the passage is. */
  readonly passage: 'first' | 'second';
  /** The number of outputs that the model must have per row. */
  readonly answers: number;
  /** Maximum rows per run of the model. */
  readonly batchSize: number;
  /** Threads per run. */
  readonly threads: number;
}

/** Including padding. */
const BATCH_TOKENS = 1024;
/** The number of rows buffered for grouping by length: enough to find rows of similar length, few enough to keep in memory. */
const WAITING_ROWS = 64;

/** A row, and where to put the model's output for it. */
interface Waiting {
  readonly row: TokenRow;
  readonly logits: Float32Array;
  readonly at: number;
}

/** A cross-encoder. It blocks its thread while a batch runs. */
export class PairModel {
  readonly #spec: PairModelSpec;
  readonly #tokenizer: TextTokenizer;
  readonly #frame: PairFrame;
  readonly #model: Transformer;
  readonly #output: string;
  /** Tokens of a row besides the frame. */
  readonly #room: number;
  readonly #frameIds: ReadonlySet<number>;

  private constructor(
    spec: PairModelSpec,
    loaded: { readonly tokenizer: TextTokenizer; readonly frame: PairFrame; readonly model: Transformer },
    output: string,
  ) {
    this.#spec = spec;
    this.#tokenizer = loaded.tokenizer;
    this.#frame = loaded.frame;
    this.#model = loaded.model;
    this.#output = output;
    this.#room = spec.maxTokens - frameLength(loaded.frame);
    const { before, between, after } = loaded.frame;
    this.#frameIds = new Set([before, between, after].flatMap(({ ids }) => ids));
  }

  /** Loads a model into this thread. Throws a {@link ModelStageError}: `task` for a model with a different output. */
  static async open(spec: PairModelSpec): Promise<PairModel> {
    let model: Transformer | null = null;
    try {
      const tokenizer = await loadTokenizer(spec.folder);
      const frame = tokenizer.pairFrame();
      model = await Transformer.open({ file: spec.file, threads: spec.threads, padId: tokenizer.padId });
      if (spec.maxTokens - frameLength(frame) < 2)
        throw new ModelStageError('task', `its window of ${spec.maxTokens} tokens has no room for two texts`);
      const output = logitsOutput(model.outputs);
      const probe = await model.run([pairRow(frame, [tokenizer.padId], [tokenizer.padId])], output);
      if (probe.data.length !== spec.answers)
        throw new ModelStageError('task', `it answers ${probe.data.length} numbers for a pair, not ${spec.answers}`);
      return new PairModel(spec, { tokenizer, frame, model }, output);
    } catch (error) {
      await model?.release();
      throw stageErrorOf(error, 'files');
    }
  }

  /**
   * For each pair, in order, one array for each part of its text (one, unless the text is too long to leave room for a passage): the logits
   * of every window of the passage, one after the other. Nothing is truncated: every token is in a row.
   */
  async logits(pairs: readonly PassagePair[], checkpoint: Checkpoint): Promise<readonly (readonly Float32Array[])[]> {
    const known = new Map<string, readonly number[]>();
    const idsOf = async (text: string): Promise<readonly number[]> => {
      const ids = known.get(text) ?? (await this.#ids(text, checkpoint));
      known.set(text, ids);
      return ids;
    };
    const answers: (readonly Float32Array[])[] = [];
    let waiting: Waiting[] = [];
    for (const { text, passage } of pairs) {
      const { parts, windows } = pairWindows(await idsOf(text), await idsOf(passage), this.#room);
      const answer = parts.map(() => new Float32Array(windows.length * this.#spec.answers));
      answers.push(answer);
      for (const [n, part] of parts.entries())
        for (const [at, window] of windows.entries()) {
          const logits = answer[n] as Float32Array;
          waiting.push({ row: this.#row(part, window), logits, at: at * this.#spec.answers });
          if (waiting.length < WAITING_ROWS) continue;
          await this.#run(waiting, checkpoint);
          waiting = [];
        }
    }
    await this.#run(waiting, checkpoint);
    return answers;
  }

  /** Frees the memory of the model. */
  release(): Promise<void> {
    return this.#model.release();
  }

  #row(text: readonly number[], passage: readonly number[]): TokenRow {
    const [first, second] = this.#spec.passage === 'first' ? [passage, text] : [text, passage];
    const row = pairRow(this.#frame, first, second);
    return row.ids.length > 0 ? row : { ids: [this.#tokenizer.padId] }; // blank texts without a frame: models do not accept empty rows
  }

  /** Tokenizes a text without special tokens that it spells out, so that it cannot pose as the other text. */
  async #ids(text: string, checkpoint: Checkpoint): Promise<readonly number[]> {
    return (await this.#tokenizer.ids(text, checkpoint)).filter((id) => !this.#frameIds.has(id));
  }

  async #run(waiting: readonly Waiting[], checkpoint: Checkpoint): Promise<void> {
    // A quantised batch has one scale for all rows; one by one, a pair does not depend on its neighbours.
    const rows = this.#spec.precision === 'q8' ? 1 : this.#spec.batchSize;
    const lengths = waiting.map(({ row }) => row.ids.length);
    for (const places of rowBatches(lengths, { rows, tokens: BATCH_TOKENS })) {
      await checkpoint();
      const batch = places.map((place) => waiting[place] as Waiting);
      const output = await this.#model.run(
        batch.map(({ row }) => row),
        this.#output,
      );
      const data = output.data as Float32Array;
      if (!data.every(Number.isFinite)) throw new ModelStageError('run', 'it answered something else than numbers');
      const { answers } = this.#spec;
      for (const [n, { logits, at }] of batch.entries()) logits.set(data.subarray(n * answers, (n + 1) * answers), at);
    }
  }
}

/** The output with a row of numbers for each row of tokens. */
function logitsOutput(outputs: readonly OutputShape[]): string {
  const found =
    outputs.find(({ name, shape }) => name === 'logits' && shape.length === 2) ??
    outputs.find(({ shape }) => shape.length === 2);
  if (found !== undefined) return found.name;
  const names = outputs.map(({ name }) => name).join(', ') || 'nothing';
  throw new ModelStageError('task', `it answers ${names}, no judgement of pairs`);
}
