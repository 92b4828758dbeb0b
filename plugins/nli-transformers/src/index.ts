import { definePlugin } from '@kebab/core';
import { crossEncoderConfigSchema } from '@kebab/onnx-kit';

/** Checks with an entailment model on the CPU, without a server, whether passages support the claims of a text. */
export default definePlugin({
  config: crossEncoderConfigSchema,
  settings: ({ groundedness: { model, modelDir } }) => ({ model, modelDir }),
  contributes: {
    groundedness: {
      transformers: async ({ config }) => {
        const { TransformersChecker } = await import('./transformers-checker.ts');
        return TransformersChecker.open(config);
      },
    },
  },
});
