import { definePlugin } from '@kebab/core';
import { embedOllamaConfigSchema } from './embed-ollama-config.ts';

/** Vectors by a model on an Ollama server. */
export default definePlugin({
  name: '@kebab/plugin-embed-ollama',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: embedOllamaConfigSchema,
  permissions: { fs: 'none', net: ['*'], spawn: [] },
  contributes: {
    embedder: {
      ollama: async ({ config, cache }) => {
        const { OllamaEmbedder } = await import('./ollama-embedder.ts');
        return OllamaEmbedder.open(config, cache);
      },
    },
  },
});
