import { definePlugin } from '@kebab/core';
import { embedOllamaConfigSchema } from './embed-ollama-config.ts';

/** Embeds with a model on an Ollama server. */
export default definePlugin({
  config: embedOllamaConfigSchema,
  settings: ({ embedder: { endpoint, model, version, dimensions, batchSize, timeoutMs, apiKey } }) => ({
    endpoint,
    model,
    version,
    dimensions,
    batchSize,
    timeoutMs,
    apiKey,
  }),
  contributes: {
    embedder: {
      ollama: async ({ config, cache, proxies }) => {
        const { OllamaEmbedder } = await import('./ollama-embedder.ts');
        return OllamaEmbedder.open(config, { cache, proxies });
      },
    },
  },
});
