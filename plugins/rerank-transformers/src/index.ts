import { definePlugin } from '@kebab/core';
import { crossEncoderConfigSchema } from '@kebab/onnx-kit';

/** Reorders search results with a cross-encoder on the CPU, without a server. */
export default definePlugin({
  config: crossEncoderConfigSchema,
  settings: ({ reranker: { model, modelDir } }) => ({ model, modelDir }),
  contributes: {
    reranker: {
      transformers: async ({ config }) => {
        const { TransformersReranker } = await import('./transformers-reranker.ts');
        return TransformersReranker.open(config);
      },
    },
  },
});
