import type { CommandContext } from '../cli/command-context.ts';

/** The options of a fetch that takes a budget. */
export function budgetOf({ values, signal }: CommandContext): {
  readonly signal: AbortSignal;
  readonly maxTokens?: number;
} {
  const maxTokens = values.number('max-tokens');
  return maxTokens === undefined ? { signal } : { signal, maxTokens };
}
