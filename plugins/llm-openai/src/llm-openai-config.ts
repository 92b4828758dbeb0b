import type { SchemaIssue, StandardSchema } from '@kebab/core';

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

type Check = (value: unknown) => string | undefined;

const CHECKS: Readonly<Record<keyof LlmOpenaiConfig, Check>> = {
  endpoint: (value) =>
    typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
      ? undefined
      : 'expected an http or https URL',
  model: (value) =>
    typeof value === 'string' && value.trim() !== '' ? undefined : 'expected a text that is not empty',
  contextTokens: (value) => wholeFrom(1, value),
  timeoutMs: (value) => wholeFrom(0, value),
  apiKey: (value) =>
    typeof value === 'string' && /^[!-~]*$/.test(value) ? undefined : 'expected a key without spaces',
};

const DEFAULTS = { timeoutMs: 300_000, apiKey: '' };

/** Checks the configuration by hand: a plugin that may never be used must not load a schema library. */
export const llmOpenaiConfigSchema: StandardSchema<LlmOpenaiConfig> = {
  '~standard': { version: 1, vendor: 'kebab', validate },
};

function validate(value: unknown): { readonly value: LlmOpenaiConfig } | { readonly issues: readonly SchemaIssue[] } {
  if (typeof value !== 'object' || value === null) return { issues: [{ message: 'expected a table' }] };
  const given: Readonly<Record<string, unknown>> = { ...DEFAULTS, ...value };
  const issues = [
    ...Object.entries(CHECKS).flatMap(([key, check]): readonly SchemaIssue[] => {
      const message = check(given[key]);
      return message === undefined ? [] : [{ message, path: [key] }];
    }),
    ...Object.keys(given)
      .filter((key) => !(key in CHECKS))
      .map((key): SchemaIssue => ({ message: 'unknown key', path: [key] })),
  ];
  return issues.length > 0 ? { issues } : { value: given as unknown as LlmOpenaiConfig };
}

function wholeFrom(least: number, value: unknown): string | undefined {
  return Number.isSafeInteger(value) && (value as number) >= least
    ? undefined
    : `expected a whole number from ${least}`;
}
