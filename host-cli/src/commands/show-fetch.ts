import type { FetchResult } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';

/** Shows fetched text: as JSON, or plain with a note on stderr when the budget cut it. */
export async function showFetch(result: FetchResult, context: CommandContext): Promise<void> {
  await context.show(result, async () => (await import('../render/fetch.ts')).renderFetch);
  if (result.truncated) context.tell('[truncated; widen --max-tokens for fuller text]');
}
