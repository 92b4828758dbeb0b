import { parseFilters } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { FILTER_FLAGS } from '../cli/search-flags.ts';
import { requestOf } from '../cli/search-request.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab list docs`: documents by source and path, printed page by page. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const filters = parseFilters(requestOf(context.values, FILTER_FLAGS));
  const app = await context.openApp();
  const show = context.json ? undefined : await import('../render/doc-list.ts');
  const screen = show === undefined ? undefined : await context.screen();
  let cursor: string | undefined;
  let total: number;
  do {
    const page = await app.listDocs(filters, cursor === undefined ? {} : { cursor }, { signal: context.signal });
    for (const doc of page.docs) {
      if (show === undefined || screen === undefined) context.printJson(doc);
      else context.print(show.renderDocLine(doc, screen));
    }
    total = page.total;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && !context.io.stdout.closed);
  if (show !== undefined && screen !== undefined) context.print(show.renderDocTotal(total, screen));
  return EXIT.ok;
}
