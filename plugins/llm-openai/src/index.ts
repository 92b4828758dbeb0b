import { definePlugin } from '@kebab/core';
import { llmOpenaiConfigSchema } from './llm-openai-config.ts';

/** A language model behind an OpenAI-compatible API. */
export default definePlugin({
  config: llmOpenaiConfigSchema,
  settings: ({ llm: { endpoint, model, contextTokens, timeoutMs, apiKey } }) => ({
    endpoint,
    model,
    contextTokens,
    timeoutMs,
    apiKey,
  }),
  contributes: {
    llm: {
      openai: async ({ config, proxies }) => {
        const { OpenaiLanguageModel } = await import('./openai-language-model.ts');
        return OpenaiLanguageModel.open(config, { proxies });
      },
    },
  },
});
