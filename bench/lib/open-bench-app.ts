import { tmpdir } from 'node:os';
import path from 'node:path';
import { openApp, type App, type BuiltinPlugin } from '@kebab/core/app';
import { builtins } from '@kebab/builtins';
import { REFUSING_MODEL, refusingModel } from './refusing-model.ts';

/** Opens an App for a folder, with its data in another, default settings, and no user configuration. */
export function openBenchApp(
  folder: string,
  data: string,
  env: Readonly<Record<string, string>> = {},
  plugins: readonly BuiltinPlugin[] = builtins,
): Promise<App> {
  return openApp({
    builtins: plugins,
    environment: {
      cwd: data,
      homeDir: data,
      tmpDir: tmpdir(),
      env: { KEBAB_WORKSPACE_ROOT: folder, KEBAB_STORAGE_DATA_DIR: data, ...env },
    },
  });
}

/**
 * The same with a model that always refuses and a gate of 0: nothing is refused before the model is asked, so that every answer shows its
 * relevance. `model` is a folder, the name of a known model, or null for lexical search only.
 */
export function openRefusingApp(folder: string, data: string, model: string | null): Promise<App> {
  const env = { KEBAB_RAG_SCORE_GATE: '0', KEBAB_MODELS_LLM_PROVIDER: REFUSING_MODEL, ...embeddingOf(model) };
  return openBenchApp(folder, data, env, [...builtins, refusingModel]);
}

function embeddingOf(model: string | null): Readonly<Record<string, string>> {
  if (model === null) return { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };
  const named = /[/\\]/.test(model) ? path.resolve(model) : model;
  return { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: named };
}
