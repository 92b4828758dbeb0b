import { definePlugin, type Contributions, type PluginKind } from '@kebab/core';
import { type BuiltinPlugin } from '@kebab/core/app';
import { HashEmbedder, ScriptedModel, type Script } from '@kebab/testing';
import type { HomeOptions } from './test-home.ts';

/** A plugin that contributes one thing under one id. */
export function pluginWith<K extends PluginKind>(kind: K, id: string, made: Contributions[K]): BuiltinPlugin {
  const common = {
    name: `fake-${id}`,
    version: '1.0.0',
    apiVersion: 1,
    permissions: { fs: 'none', net: [], spawn: [] },
  } as const;
  const plugin = definePlugin({ ...common, kebab: '*', contributes: { [kind]: { [id]: () => made } } });
  return { manifest: { ...common, contributes: { [kind]: [id] } }, load: async () => ({ default: plugin }) };
}

/** Options of a home whose language model follows a script, and whose vectors are computed from words. */
export function scripted(script: Script): HomeOptions & { readonly model: ScriptedModel } {
  const model = new ScriptedModel(script);
  return {
    model,
    plugins: [pluginWith('llm', 'scripted', model), pluginWith('embedder', 'hash', new HashEmbedder())],
    env: { KEBAB_MODELS_LLM_PROVIDER: 'scripted', KEBAB_MODELS_EMBEDDING_PROVIDER: 'hash' },
  };
}
