import { COMMITS, commitLines, flagName, invalidInput, readRequest, SEARCH } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab search --commits N`: finds commits. Throws `invalid_input` for a flag that commits have no use for. */
export async function searchCommits(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const odd = Object.entries(SEARCH).find(([key, field]) => !(key in COMMITS) && values.has(flagName(key, field)));
  if (odd !== undefined)
    throw invalidInput(`--${flagName(...odd)} does not go with --commits: leave one out`, {
      field: `--${flagName(...odd)}`,
    });
  const { query: _query, ...filters } = COMMITS;
  const request = { query: values.arg('QUERY'), ...(await context.request(filters)) };
  const app = await context.openApp();
  const result = await app.searchCommits(readRequest(request, COMMITS), { signal });
  await context.showLines(result, commitLines);
  return result.commits.length > 0 ? EXIT.ok : EXIT.nothing;
}
