import type { Pooling } from '../manifest/model-manifest.ts';
import type { OutputShape } from './onnx-model.ts';

/** Which answer of a model is read, and how it becomes one vector a text. */
export interface SentenceOutput {
  readonly name: string;
  readonly pooling: Exclude<Pooling, 'auto'>;
  /** Null when only a run tells. */
  readonly dimensions: number | null;
}

const TOKENS = 'last_hidden_state';
const SENTENCE = 'sentence_embedding';

/**
 * Chooses the output with the vectors of tokens (three dimensions) or of texts (two): as the pooling says, or for `auto` the
 * texts' if the model has them. Throws an `Error` for a model that has neither.
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
