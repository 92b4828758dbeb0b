import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which models of Ollama servers are used for what, and their timeouts. */
export interface LlmOllamaConfig {
  /** `http://…` or `https://…`. */
  readonly endpoint: string;
  /** The model that answers questions. */
  readonly model: string;
  /** The window to request; the model's own if that is smaller. */
  readonly contextTokens: number;
  /** The timeout of an answer; 0 for no limit. */
  readonly timeoutMs: number;
  /** Sent as a bearer token and used nowhere else; empty for a server without authentication. */
  readonly apiKey: string;
  /** How long the server keeps a model loaded after an answer, such as `5m` or `-1s`; empty for the server's default. */
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
  /** The timeout of one image; 0 for no limit. */
  readonly timeoutMs: number;
  /** As for answers. */
  readonly apiKey: string;
}

const vision = {
  checks: {
    endpoint: checks.orEmpty(checks.httpUrl),
    model: checks.text,
    timeoutMs: checks.limit,
    apiKey: checks.text,
  },
  defaults: { endpoint: '', model: '', timeoutMs: 180_000, apiKey: '' },
};

/** Validates the plugin's configuration. */
export const llmOllamaConfigSchema: StandardSchema<LlmOllamaConfig> = checkedConfig<LlmOllamaConfig>({
  checks: {
    endpoint: checks.httpUrl,
    model: checks.name,
    contextTokens: checks.count,
    timeoutMs: checks.limit,
    apiKey: checks.text,
    keepAlive: checks.text,
    ocr: vision,
    caption: vision,
  },
  defaults: { timeoutMs: 300_000, apiKey: '', keepAlive: '', ocr: {}, caption: {} },
});
