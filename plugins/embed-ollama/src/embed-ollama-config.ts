import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which model of an Ollama server embeds, and how it is called. */
export interface EmbedOllamaConfig {
  /** `http://…` or `https://…`. */
  readonly endpoint: string;
  readonly model: string;
  /** Part of the fingerprint and of vector ids; changing it embeds everything again. */
  readonly version: string;
  /** The length of its vectors; null for the model's own. */
  readonly dimensions: number | null;
  /** Texts per request. */
  readonly batchSize: number;
  /** The timeout of one request, including loading the model; 0 for no limit. */
  readonly timeoutMs: number;
  /** Sent as a bearer token and used nowhere else; empty for a server without authentication. */
  readonly apiKey: string;
}

/** Validates the plugin's configuration. */
export const embedOllamaConfigSchema: StandardSchema<EmbedOllamaConfig> = checkedConfig<EmbedOllamaConfig>({
  checks: {
    endpoint: checks.httpUrl,
    model: checks.name,
    version: checks.name,
    dimensions: checks.orNull(checks.count),
    batchSize: checks.count,
    timeoutMs: checks.limit,
    apiKey: checks.text,
  },
  defaults: { version: 'v1', dimensions: null, batchSize: 4, timeoutMs: 300_000, apiKey: '' },
});
