import { definePlugin, type LanguageModel, type TokenChunk } from '@kebab/core';
import type { BuiltinPlugin } from '@kebab/core/app';

/** The id under which the model is configured. */
export const REFUSING_MODEL = 'refusing';

const NAME = 'refusing-model';
const PERMISSIONS = { fs: 'none', net: [], spawn: [] } as const;

/** A model that always refuses, so that asking measures the relevance of the evidence without generation. */
const model: LanguageModel = {
  id: REFUSING_MODEL,
  version: '1',
  model: { id: REFUSING_MODEL, provider: REFUSING_MODEL },
  contextTokens: 32_768,
  fingerprint: () => REFUSING_MODEL,
  async *generate(): AsyncGenerator<TokenChunk> {
    yield { kind: 'token', token: '[[NO_EVIDENCE]]' };
    yield { kind: 'done', finishReason: 'stop', usage: { promptTokens: 0, completionTokens: 1 } };
  },
};

/** The model as a built-in plugin of its host. */
export const refusingModel: BuiltinPlugin = {
  manifest: {
    name: NAME,
    version: '1.0.0',
    apiVersion: 1,
    contributes: { llm: [REFUSING_MODEL] },
    permissions: PERMISSIONS,
  },
  load: async () => ({
    default: definePlugin({
      name: NAME,
      version: '1.0.0',
      apiVersion: 1,
      kebab: '*',
      permissions: PERMISSIONS,
      contributes: { llm: { [REFUSING_MODEL]: () => model } },
    }),
  }),
};
