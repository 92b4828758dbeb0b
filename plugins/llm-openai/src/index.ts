import { definePlugin } from '@kebab/core';
import { llmOpenaiConfigSchema } from './llm-openai-config.ts';

/** A language model behind an OpenAI-compatible API. */
export default definePlugin({
  name: '@kebab/plugin-llm-openai',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: llmOpenaiConfigSchema,
  permissions: { fs: 'none', net: ['*'], spawn: [] },
  contributes: {
    llm: {
      openai: async ({ config }) => {
        const { OpenaiLanguageModel } = await import('./openai-language-model.ts');
        return OpenaiLanguageModel.open(config);
      },
    },
  },
});
