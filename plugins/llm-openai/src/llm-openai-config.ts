import { checkedConfig, checks, type StandardSchema } from '@kebab/core';

/** Which model of which server is asked. */
export interface LlmOpenaiConfig {
  /** `http://…` or `https://…`, with or without `/v1` at its end. */
  readonly endpoint: string;
  readonly model: string;
  /** The window to count on; the model's own where the server says that it is smaller. */
  readonly contextTokens: number;
  /** How long an answer may take; 0 for no limit. */
  readonly timeoutMs: number;
  /** Sent as a bearer token and nowhere else; empty for a server that asks for none. */
  readonly apiKey: string;
}

/** Checks the configuration by hand: a plugin that may never be used must not load a schema library. */
export const llmOpenaiConfigSchema: StandardSchema<LlmOpenaiConfig> = checkedConfig<LlmOpenaiConfig>({
  checks: {
    endpoint: checks.httpUrl,
    model: checks.name,
    contextTokens: checks.count,
    timeoutMs: checks.limit,
    apiKey: checks.matching(/^[!-~]*$/, 'a key without spaces'),
  },
  defaults: { timeoutMs: 300_000, apiKey: '' },
});
