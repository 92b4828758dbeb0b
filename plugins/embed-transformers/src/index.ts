import { definePlugin } from '@kebab/core';
import { transformersConfigSchema } from './transformers-config.ts';

/** Embedding models on the CPU, without a server: transformers through ONNX, and tables of token vectors. */
export default definePlugin({
  config: transformersConfigSchema,
  settings: ({ embedder: { model, version, dimensions, batchSize, modelDir, hub } }) => ({
    model,
    version,
    dimensions,
    batchSize,
    modelDir,
    hub,
  }),
  contributes: {
    embedder: {
      transformers: async ({ config }) => {
        const { TransformersEmbedder } = await import('./transformers-embedder.ts');
        return TransformersEmbedder.open(config);
      },
    },
    model_catalog: {
      transformers: async ({ config: { modelDir, hub }, fetch = globalThis.fetch }) => {
        const { TransformersCatalog } = await import('./transformers-catalog.ts');
        return new TransformersCatalog({ modelDir, hub, fetch });
      },
    },
  },
});
