import { definePlugin, type KindSettings } from '@kebab/core';
import { llmOllamaConfigSchema, type VisionConfig } from './llm-ollama-config.ts';

/** Models on an Ollama server: answers, text recognition and captions. */
export default definePlugin({
  config: llmOllamaConfigSchema,
  settings: ({ llm: { endpoint, model, contextTokens, timeoutMs, apiKey }, ocr, captioner }) => ({
    endpoint,
    model,
    contextTokens,
    timeoutMs,
    apiKey,
    ocr: visionOf(ocr),
    caption: visionOf(captioner),
  }),
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
        const { OllamaOcrEngine } = await import('./ollama-pictures.ts');
        const { model, endpoint } = await openOllamaModel(context, 'ocr');
        return new OllamaOcrEngine(model, endpoint);
      },
    },
    captioner: {
      ollama: async (context) => {
        const { openOllamaModel } = await import('./open-ollama-model.ts');
        const { OllamaCaptioner } = await import('./ollama-pictures.ts');
        const { model, endpoint } = await openOllamaModel(context, 'caption');
        return new OllamaCaptioner(model, endpoint);
      },
    },
  },
});

function visionOf({ endpoint, model, timeoutMs, apiKey }: KindSettings['captioner']): VisionConfig {
  return { endpoint, model, timeoutMs, apiKey };
}
