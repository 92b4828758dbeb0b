import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which models of Ollama servers do what, and how long they may take. */
export interface LlmOllamaConfig {
  /** `http://…` or `https://…`. */
  readonly endpoint: string;
  /** The model that answers questions. */
  readonly model: string;
  /** The window to ask for; the model's own where that is smaller. */
  readonly contextTokens: number;
  /** How long an answer may take; 0 for no limit. */
  readonly timeoutMs: number;
  /** How long the server keeps a model loaded after an answer, as `5m` or `-1s`; empty for the server's own choice. */
  readonly keepAlive: string;
  readonly ocr: VisionConfig;
  readonly caption: VisionConfig;
}

/** A model with vision. */
export interface VisionConfig {
  /** Empty for the server that answers questions. */
  readonly endpoint: string;
  /** Empty for the model that answers questions. */
  readonly model: string;
  /** How long one image may take; 0 for no limit. */
  readonly timeoutMs: number;
}

const vision = {
  checks: { endpoint: checks.orEmpty(checks.httpUrl), model: checks.text, timeoutMs: checks.limit },
  defaults: { endpoint: '', model: '', timeoutMs: 180_000 },
};

/** Checks what the plugin is configured with. */
export const llmOllamaConfigSchema: StandardSchema<LlmOllamaConfig> = checkedConfig<LlmOllamaConfig>({
  checks: {
    endpoint: checks.httpUrl,
    model: checks.name,
    contextTokens: checks.count,
    timeoutMs: checks.limit,
    keepAlive: checks.text,
    ocr: vision,
    caption: vision,
  },
  defaults: { timeoutMs: 300_000, keepAlive: '', ocr: {}, caption: {} },
});
