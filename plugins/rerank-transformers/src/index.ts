import { definePlugin } from '@kebab/core';
import { crossEncoderConfigSchema } from '@kebab/onnx-kit';
import { PLUGIN } from './plugin-name.ts';

/** Orders search results anew with a cross-encoder on the CPU, without a server. */
export default definePlugin({
  ...PLUGIN,
  apiVersion: 1,
  kebab: '*',
  config: crossEncoderConfigSchema,
  permissions: { fs: 'data-dir', net: [], spawn: [] },
  contributes: {
    reranker: {
      transformers: async ({ config }) => {
        const { TransformersReranker } = await import('./transformers-reranker.ts');
        return TransformersReranker.open(config);
      },
    },
  },
});
