import { definePlugin } from '@kebab/core';
import { crossEncoderConfigSchema } from '@kebab/onnx-kit';
import { PLUGIN } from './plugin-name.ts';

/** Checks with an entailment model on the CPU, without a server, whether passages say what a text claims. */
export default definePlugin({
  ...PLUGIN,
  apiVersion: 1,
  kebab: '*',
  config: crossEncoderConfigSchema,
  permissions: { fs: 'data-dir', net: [], spawn: [] },
  contributes: {
    groundedness: {
      transformers: async ({ config }) => {
        const { TransformersChecker } = await import('./transformers-checker.ts');
        return TransformersChecker.open(config);
      },
    },
  },
});
