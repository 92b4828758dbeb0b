import type { EmbedInput } from '@kebab/core';
import type { Checkpoint, TextModel, TextModelSpec } from './text-model.ts';
import { loadTokenizer, type TextTokenizer } from './text-tokenizer.ts';
import { rowBatches, tokenWindows, VectorMean } from './rows.ts';
import { Transformer, type OutputShape, type TokenRow } from './transformer.ts';
import type { Pooling } from '../manifest/builtin-manifests.ts';

/** Including padding. More tokens per run need more memory and save no time on a CPU. */
const BATCH_TOKENS = 1024;

/** A window of the text of one input. */
interface Window extends TokenRow {
  /** The index of its text in the inputs. */
  readonly input: number;
  /** The number of the text's tokens in it. */
  readonly weight: number;
}

/** A transformer for embeddings. It blocks its thread while a batch runs. */
export class ContextualModel implements TextModel {
  readonly #spec: TextModelSpec;
  readonly #tokenizer: TextTokenizer;
  readonly #model: Transformer;
  readonly #output: SentenceOutput;
  readonly dimensions: number;

  private constructor(
    spec: TextModelSpec,
    loaded: { readonly tokenizer: TextTokenizer; readonly model: Transformer; readonly output: SentenceOutput },
    dimensions: number,
  ) {
    this.#spec = spec;
    this.#tokenizer = loaded.tokenizer;
    this.#model = loaded.model;
    this.#output = loaded.output;
    this.dimensions = dimensions;
  }

  static async open(spec: TextModelSpec, file: string): Promise<ContextualModel> {
    const tokenizer = await loadTokenizer(spec.folder);
    const model = await Transformer.open({ file, threads: spec.threads, padId: tokenizer.padId });
    const output = sentenceOutput(model.outputs, spec.pooling);
    const dimensions = output.dimensions ?? (await dimensionsOf(model, output, tokenizer));
    return new ContextualModel(spec, { tokenizer, model, output }, dimensions);
  }

  async embed(inputs: readonly EmbedInput[], checkpoint: Checkpoint): Promise<readonly (Float32Array | null)[]> {
    const windows: Window[] = [];
    for (const [place, input] of inputs.entries())
      for (const window of await this.#windows(input, place, checkpoint)) windows.push(window);
    const means = inputs.map(() => new VectorMean(this.dimensions));
    // A quantised batch has one scale for all rows, so a text would depend on its neighbours; one by one is also fastest on a CPU.
    const rows = this.#spec.precision === 'q8' ? 1 : this.#spec.batchSize;
    const lengths = windows.map(({ ids }) => ids.length);
    for (const places of rowBatches(lengths, { rows, tokens: BATCH_TOKENS })) {
      await checkpoint();
      const batch = places.map((place) => windows[place] as Window);
      const vectors = await this.#model.embed(batch, this.#output);
      for (const [row, { input, weight }] of batch.entries()) {
        const vector = vectors[row] ?? null;
        if (vector !== null) means[input]?.add(vector, { weight });
      }
    }
    return means.map((mean) => mean.unit());
  }

  release(): Promise<void> {
    return this.#model.release();
  }

  async #windows({ text, kind }: EmbedInput, input: number, checkpoint: Checkpoint): Promise<readonly Window[]> {
    if (text.trim() === '') return [];
    const { head, tail, unknownId } = this.#tokenizer;
    const prefix = this.#spec.prefixes[kind];
    const ids = await this.#tokenizer.ids(prefix + text, checkpoint);
    const lead = startOf(ids, prefix === '' ? [] : await this.#tokenizer.ids(prefix.trimEnd(), checkpoint));
    const content = ids.slice(lead.length);
    if (content.every((id) => id === unknownId)) return [];
    const size = this.#spec.maxTokens - head.length - lead.length - tail.length;
    return tokenWindows(content, Math.max(1, size)).map((part) => ({
      ids: [...head, ...lead, ...part, ...tail],
      input,
      weight: part.length,
    }));
  }
}

/** The tokens of the prefix, which every window repeats; empty if it was merged with the text in tokenization. */
function startOf(ids: readonly number[], lead: readonly number[]): readonly number[] {
  return lead.every((id, at) => ids[at] === id) ? lead : [];
}

/** Determines the length of vectors by running a model that does not declare it. */
async function dimensionsOf(model: Transformer, { name }: SentenceOutput, tokenizer: TextTokenizer): Promise<number> {
  const ids = [...tokenizer.head, ...(await tokenizer.ids('a', () => {})), ...tokenizer.tail];
  return (await model.run([{ ids }], name)).dims.at(-1) as number;
}

/** Which output of a model to use, and how to convert it to one vector per text. */
interface SentenceOutput {
  readonly name: string;
  readonly pooling: Exclude<Pooling, 'auto'>;
  /** Null if only a run shows it. */
  readonly dimensions: number | null;
}

const TOKENS = 'last_hidden_state';
const SENTENCE = 'sentence_embedding';

/**
 * Chooses the output with the vectors of tokens (three dimensions) or of texts (two): according to the pooling, or for `auto` that of texts
 * if the model has one. Throws an `Error` for a model that has neither.
 */
export function sentenceOutput(outputs: readonly OutputShape[], pooling: Pooling): SentenceOutput {
  const named = (name: string, rank: number): OutputShape | undefined =>
    outputs.find((output) => output.name === name && output.shape.length === rank) ??
    outputs.find(({ shape }) => shape.length === rank);
  const tokens = named(TOKENS, 3);
  const hasSentences = outputs.some(({ name }) => name === SENTENCE) || tokens === undefined;
  const wantsSentences = pooling === 'none' || (pooling === 'auto' && hasSentences);
  const sentences = named(SENTENCE, 2);
  const chosen = wantsSentences ? sentences : (tokens ?? sentences);
  if (chosen === undefined)
    throw new Error(`it answers ${outputs.map(({ name }) => name).join(', ') || 'nothing'}, no vectors of texts`);
  const last = chosen.shape.at(-1);
  return {
    name: chosen.name,
    pooling: chosen === sentences ? 'none' : pooling === 'cls' ? 'cls' : 'mean',
    dimensions: typeof last === 'number' && last > 0 ? last : null,
  };
}
