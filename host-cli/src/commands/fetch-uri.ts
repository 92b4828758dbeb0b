import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { budgetOf } from './fetch-budget.ts';
import { showFetch } from './show-fetch.ts';

/** `kebab fetch uri`: reads what a citation URI designates. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const uri = context.values.arg('URI');
  const source = context.values.text('source');
  const app = await context.openApp();
  const query = { kind: 'uri', uri, ...(source === undefined ? {} : { source }) } as const;
  await showFetch(await app.fetch(query, budgetOf(context)), context);
  return EXIT.ok;
}
