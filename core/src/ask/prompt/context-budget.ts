import type { ResolvedConfig } from '../../config/resolved-config.ts';

/** The longest completion that is asked for, in tokens of the model. */
const MAX_COMPLETION = 2048;

/** What a prompt may measure, and how long the completion may become. */
export interface ContextBudget {
  /** In `est` tokens. */
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Shares a model's context between prompt and completion: the completion gets a quarter at most. */
export function contextBudget(contextTokens: number, { maxContextTokens }: ResolvedConfig['rag']): ContextBudget {
  const completionTokens = Math.max(1, Math.min(MAX_COMPLETION, Math.floor(contextTokens / 4)));
  return { promptTokens: Math.min(maxContextTokens, contextTokens - completionTokens), completionTokens };
}
