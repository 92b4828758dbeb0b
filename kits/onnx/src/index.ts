export {
  CrossEncoder,
  type CrossEncoderTask,
  crossEncoderConfigSchema,
  type CrossEncoderConfig,
  defaultThreads,
} from './cross-encoder/cross-encoder.ts';
export { ModelStageError, type ModelStage } from './encode/model-stage-error.ts';
export type { ModelWeights, TextModelSpec } from './encode/text-model.ts';
export type { PassagePair } from './encode/pair-model.ts';
export {
  isModelPath,
  modelPath,
  listModels,
  type ListedModel,
  readModelFolder,
  type ModelFolder,
  type ModelPlace,
} from './folder/read-model-folder.ts';
export {
  BUILTIN_MANIFESTS,
  findManifest,
  type ModelManifest,
  type ModelRole,
  type Pooling,
  type Precision,
  type Relevance,
} from './manifest/builtin-manifests.ts';
export { modelError, notPulled, wrongModelConfig, type ModelSite } from './model-failure.ts';
export { pullModel, type PullOptions, type PullProgress } from './pull/pull-model.ts';
export { InlineModel, ModelThread } from './worker/model-thread.ts';
