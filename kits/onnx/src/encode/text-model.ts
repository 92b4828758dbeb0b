import type { EmbedInput } from '@kebab/core';
import type { ModelManifest, Precision } from '../manifest/builtin-manifests.ts';
import { ModelStageError, stageErrorOf } from './model-stage-error.ts';

/** How a model is run: by ONNX Runtime, or as the table of token vectors that it is. */
export type ModelWeights =
  | { readonly kind: 'onnx'; readonly file: string; readonly precision: Precision }
  /** `file` is a safetensors file with a tensor `embeddings`. */
  | { readonly kind: 'static'; readonly file: string; readonly precision: Precision; readonly dimensions: number };

/**
 * Called between small steps of long work. It throws to stop the work, and may let other work of its thread go first.
 */
export type Checkpoint = () => void | Promise<void>;

/** All that has to be known to load a model: plain data, so that it can be given to another thread. */
export interface TextModelSpec extends Pick<ModelManifest, 'prefixes' | 'maxTokens' | 'pooling' | 'precision'> {
  readonly folder: string;
  readonly weights: ModelWeights;
  /** What the vectors must have; null to take what the model answers. */
  readonly dimensions: number | null;
  /** The most texts in one run of the model. */
  readonly batchSize: number;
  /** Threads of one run. */
  readonly threads: number;
}

/** A loaded model that turns texts into vectors. */
export interface TextModel {
  readonly dimensions: number;
  /** For each input, in order, a vector of length 1, or null for a text that holds nothing the model knows. */
  embed(inputs: readonly EmbedInput[], checkpoint: Checkpoint): Promise<readonly (Float32Array | null)[]>;
  release(): Promise<void>;
}

/** Loads a model into this thread. Throws a {@link ModelStageError}. */
export function loadTextModel(spec: TextModelSpec): Promise<TextModel> {
  return checked(spec, async () => {
    if (spec.weights.kind === 'static') return openTable(spec);
    const { ContextualModel } = await import('./contextual-model.ts');
    return ContextualModel.open(spec, spec.weights.file);
  });
}

/** As {@link loadTextModel} for a table of token vectors; a bundle with this alone holds no other kind of model. */
export function loadTokenTable(spec: TextModelSpec): Promise<TextModel> {
  return checked(spec, () => openTable(spec));
}

async function openTable(spec: TextModelSpec): Promise<TextModel> {
  const { StaticModel } = await import('./static-model.ts');
  return StaticModel.open(spec, spec.weights.file);
}

async function checked(spec: TextModelSpec, open: () => Promise<TextModel>): Promise<TextModel> {
  try {
    const model = await open();
    if (spec.dimensions === null || spec.dimensions === model.dimensions) return model;
    await model.release();
    throw new ModelStageError(
      'dimensions',
      `its vectors have ${model.dimensions} dimensions, not ${spec.dimensions} as the configuration says`,
    );
  } catch (error) {
    throw stageErrorOf(error, 'files');
  }
}
