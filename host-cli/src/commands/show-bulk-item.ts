import type { App, BulkSearchItem } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { printable } from '../io/printable.ts';
import { showSearch } from './show-search.ts';

/** Shows the outcome of one query of several to people: the query, then its hits or why it failed. */
export async function showBulkItem(item: BulkSearchItem, context: CommandContext, app: App): Promise<void> {
  const { colors } = await context.screen();
  const asked = item.query?.['query'];
  const title = typeof asked === 'string' ? asked : JSON.stringify(item.query);
  context.print(`${colors.bold(`» ${printable(title)}`)}\n`);
  if (item.response !== null) await showSearch(item.response, context, app);
  if (item.error !== null) context.print(`${colors.red('error:')} ${printable(item.error.message)}\n`);
  context.print('\n');
}
