import { definePlugin } from '@kebab/core';
import { llmOllamaConfigSchema } from './llm-ollama-config.ts';

/** Models on an Ollama server: answers, text recognition and captions. */
export default definePlugin({
  name: '@kebab/plugin-llm-ollama',
  version: '0.1.0',
  apiVersion: 1,
  kebab: '*',
  config: llmOllamaConfigSchema,
  permissions: { fs: 'none', net: ['*'], spawn: [] },
  contributes: {
    llm: {
      ollama: async (context) => {
        const { openOllamaModel } = await import('./open-ollama-model.ts');
        return (await openOllamaModel(context, 'llm')).model;
      },
    },
    ocr: {
      ollama: async (context) => {
        const { openOllamaModel } = await import('./open-ollama-model.ts');
        const { OllamaOcrEngine } = await import('./ollama-ocr-engine.ts');
        const { model, endpoint } = await openOllamaModel(context, 'ocr');
        return new OllamaOcrEngine(model, endpoint);
      },
    },
    captioner: {
      ollama: async (context) => {
        const { openOllamaModel } = await import('./open-ollama-model.ts');
        const { OllamaCaptioner } = await import('./ollama-captioner.ts');
        const { model, endpoint } = await openOllamaModel(context, 'caption');
        return new OllamaCaptioner(model, endpoint);
      },
    },
  },
});
