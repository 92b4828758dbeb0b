import { KebabError } from '@kebab/core';
import { ModelStageError } from './encode/model-stage-error.ts';

/** The provider of these models in errors. */
export const PROVIDER = 'transformers';

/** The error for a model with missing or incomplete files. `reason` completes "model X cannot be used: …". */
export function notPulled(
  model: string,
  reason: string,
  { cause, hint }: { readonly cause?: unknown; readonly hint?: string } = {},
): KebabError<'model_not_pulled'> {
  return new KebabError('model_not_pulled', `the model ${model} cannot be used: ${reason}`, {
    details: { model, provider: PROVIDER },
    hint: hint ?? 'fetch it with `kebab models pull`',
    cause,
  });
}

/** The error for a setting, or a file beside a model, that contradicts the model. */
export function wrongModelConfig(
  message: string,
  {
    key,
    path = null,
    suggestion,
  }: { readonly key: string | null; readonly path?: string | null; readonly suggestion?: string | undefined },
): KebabError<'config_invalid'> {
  return new KebabError('config_invalid', message, {
    details: { path, key, cause: message, suggestion: suggestion ?? null },
    hint: key === null || suggestion === undefined ? undefined : `set ${key} to ${suggestion}`,
  });
}

/** The context of a failed model. */
export interface ModelSite {
  readonly model: string;
  readonly plugin: { readonly name: string; readonly version: string };
  /** The kind of the contribution. */
  readonly kind: string;
  /** The setting that names the model: `models.embedding.model` by default. */
  readonly key?: string;
}

/**
 * Converts a failure of a model for the caller: `model_not_pulled` for damaged files, `config_invalid` for unexpected dimensions and for a
 * model with another purpose, `plugin_failed` for a missing library or a failed run. Every other value is returned unchanged.
 */
export function modelError(
  error: unknown,
  { model, plugin, kind, key = 'models.embedding.model' }: ModelSite,
): unknown {
  if (!(error instanceof ModelStageError)) return error;
  const { stage, message, hint } = error;
  const remedy = hint === undefined ? {} : { hint };
  switch (stage) {
    case 'files':
      return notPulled(model, message, { cause: error, ...remedy });
    case 'dimensions':
      return wrongModelConfig(`the model ${model} cannot be used: ${message}`, { key: 'models.embedding.dimensions' });
    case 'task':
      return wrongModelConfig(`the model ${model} cannot be used: ${message}`, { key });
    case 'library':
    case 'run':
      return new KebabError('plugin_failed', `the model ${model} cannot be used: ${message}`, {
        details: { plugin: plugin.name, version: plugin.version, kind, stage, cause: message, path: null },
        cause: error,
        ...remedy,
      });
    default:
      return stage satisfies never;
  }
}
