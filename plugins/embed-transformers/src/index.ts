import { definePlugin } from '@kebab/core';
import { PLUGIN } from './plugin-name.ts';
import { transformersConfigSchema } from './transformers-config.ts';

/** Embedding models on the CPU, without a server: transformers through ONNX, and tables of token vectors. */
export default definePlugin({
  ...PLUGIN,
  apiVersion: 1,
  kebab: '*',
  config: transformersConfigSchema,
  permissions: { fs: 'data-dir', net: ['*'], spawn: [] },
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
