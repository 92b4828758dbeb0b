import type { ModelAnswer, ModelInput } from '../encode/load-model.ts';
import type { ModelStage } from '../encode/model-stage-error.ts';

/** What the worker is told. The model itself comes as `workerData`: a `ModelProgram`. */
export type WorkerRequest =
  | {
      readonly kind: 'run';
      readonly job: number;
      readonly inputs: readonly ModelInput[];
      /** Shared memory: becomes 1 when no one waits for the job any more. */
      readonly stop: Int32Array;
    }
  /** Free the model and end, after what came before. */
  | { readonly kind: 'close' };

/** What the worker answers: once for the model, once for each job in their order. */
export type WorkerAnswer =
  | { readonly kind: 'ready'; readonly dimensions: number }
  | { readonly kind: 'unusable'; readonly stage: ModelStage; readonly message: string }
  | { readonly kind: 'done'; readonly job: number; readonly answers: readonly ModelAnswer[] }
  | { readonly kind: 'stopped'; readonly job: number }
  | { readonly kind: 'failed'; readonly job: number; readonly stage: ModelStage; readonly message: string };
