import { isKebabError } from '@kebab/core';

/**
 * The stage at which a model failed: a `library` that it needs cannot be loaded, its `files` are damaged or of another kind, its vectors
 * have unexpected `dimensions`, it was made for another `task`, or a `run` failed.
 */
export type ModelStage = 'library' | 'files' | 'dimensions' | 'task' | 'run';

interface StageErrorOptions extends ErrorOptions {
  readonly hint?: string | undefined;
}

/** A failure of a model, as plain data that can be sent between threads. The message completes "the model X cannot be used: …". */
export class ModelStageError extends Error {
  readonly stage: ModelStage;
  /** The hint of the original error, if any: the command that installs a part of kebab. */
  readonly hint: string | undefined;

  constructor(stage: ModelStage, message: string, { hint, ...options }: StageErrorOptions = {}) {
    super(message, options);
    this.name = 'ModelStageError';
    this.stage = stage;
    this.hint = hint;
  }
}

const LIBRARY_CODE = /^(ERR_)?(MODULE_NOT_FOUND|DLOPEN_FAILED)$/;

/** Converts an error from loading or running a model to a {@link ModelStageError}. */
export function stageErrorOf(error: unknown, stage: ModelStage): ModelStageError {
  if (error instanceof ModelStageError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = String((error as { readonly code?: unknown } | null)?.code);
  const hint = isKebabError(error) ? error.hint : undefined;
  return new ModelStageError(LIBRARY_CODE.test(code) ? 'library' : stage, message, { cause: error, hint });
}
