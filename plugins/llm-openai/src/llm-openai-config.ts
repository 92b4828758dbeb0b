import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** The model and its server. */
export interface LlmOpenaiConfig {
  /** `http://…` or `https://…`: the address below which `/chat/completions` is, or that address itself; a bare host means its `/v1`. */
  readonly endpoint: string;
  readonly model: string;
  /** The assumed window; the model's own if the server reports a smaller one. */
  readonly contextTokens: number;
  /** The timeout of an answer; 0 for no limit. */
  readonly timeoutMs: number;
  /** Sent as a bearer token and used nowhere else; empty for a server without authentication. */
  readonly apiKey: string;
}

/** Validates the configuration without a schema library, which a plugin that may never be used must not load. */
export const llmOpenaiConfigSchema: StandardSchema<LlmOpenaiConfig> = checkedConfig<LlmOpenaiConfig>({
  checks: {
    endpoint: checks.httpUrl,
    model: checks.name,
    contextTokens: checks.count,
    timeoutMs: checks.limit,
    apiKey: checks.matching(/^\s*[!-~]*\s*$/, 'a key without spaces'),
  },
  defaults: { timeoutMs: 300_000, apiKey: '' },
});
