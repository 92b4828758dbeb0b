import { definePlugin } from '@kebab/core';
import { embedOllamaConfigSchema } from './embed-ollama-config.ts';

/** Embeds with a model on an Ollama server. */
export default definePlugin({
  config: embedOllamaConfigSchema,
  settings: ({ embedder: { endpoint, model, version, dimensions, batchSize, timeoutMs } }) => ({
    endpoint,
    model,
    version,
    dimensions,
    batchSize,
    timeoutMs,
  }),
  contributes: {
    embedder: {
      ollama: async ({ config, cache }) => {
        const { OllamaEmbedder } = await import('./ollama-embedder.ts');
        return OllamaEmbedder.open(config, cache);
      },
    },
  },
});
