import type { EmbedInput } from '@kebab/core';
import type { ModelManifest, Precision } from '../manifest/builtin-manifests.ts';
import { ModelStageError, stageErrorOf } from './model-stage-error.ts';

/** How a model is run: by ONNX Runtime, or as a table of token vectors. */
export type ModelWeights =
  | { readonly kind: 'onnx'; readonly file: string; readonly precision: Precision }
  /** `file` is a safetensors file with a tensor `embeddings`. */
  | { readonly kind: 'static'; readonly file: string; readonly precision: Precision; readonly dimensions: number };

/** Called between small steps of long work. It throws to stop the work, and may yield to other work of its thread. */
export type Checkpoint = () => void | Promise<void>;

/** Everything needed to load a model, as plain data that can be sent to another thread. */
export interface TextModelSpec extends Pick<ModelManifest, 'prefixes' | 'maxTokens' | 'pooling' | 'precision'> {
  readonly folder: string;
  readonly weights: ModelWeights;
  /** The required dimensions; null for the model's own. */
  readonly dimensions: number | null;
  /** Maximum texts per run of the model. */
  readonly batchSize: number;
  /** Threads per run. */
  readonly threads: number;
}

/** A loaded model that turns texts into vectors. */
export interface TextModel {
  readonly dimensions: number;
  /** For each input, in order, a vector of length 1, or null for a text without known tokens. */
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

/** Like {@link loadTextModel}, only for a table of token vectors, so that a bundle need not contain other kinds of models. */
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
