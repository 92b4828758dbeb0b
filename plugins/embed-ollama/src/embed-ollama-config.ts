import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which model of an Ollama server makes vectors, and how it is asked. */
export interface EmbedOllamaConfig {
  /** `http://…` or `https://…`. */
  readonly endpoint: string;
  readonly model: string;
  /** Part of the fingerprint and of the ids of vectors; another value embeds everything again. */
  readonly version: string;
  /** The length of its vectors; null for what the model says. */
  readonly dimensions: number | null;
  /** Texts in one request. */
  readonly batchSize: number;
  /** How long one request may take, loading the model included; 0 for no limit. */
  readonly timeoutMs: number;
}

/** Checks what the plugin is configured with. */
export const embedOllamaConfigSchema: StandardSchema<EmbedOllamaConfig> = checkedConfig<EmbedOllamaConfig>({
  checks: {
    endpoint: checks.httpUrl,
    model: checks.name,
    version: checks.name,
    dimensions: checks.orNull(checks.count),
    batchSize: checks.count,
    timeoutMs: checks.limit,
  },
  defaults: { version: 'v1', dimensions: null, batchSize: 4, timeoutMs: 300_000 },
});
