import { outlineLines, symbolLines, SYMBOL, printable, type RequestOf } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab symbol`: where a name is declared in source code, or each line that uses it. */
export async function symbol(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const { name: _name, find: _find, ...page } = SYMBOL;
  const request: Partial<RequestOf<typeof SYMBOL>> = await context.request(page);
  const find = values.has('references') ? 'references' : 'definition';
  const app = await context.openApp();
  const result = await app.findSymbol({ ...request, name: values.arg('NAME'), find }, { signal });
  if (context.json) context.printJson(result);
  else if (result.total > 0) {
    await context.printLong(
      `${symbolLines({ ...result, next_cursor: null })
        .map(printable)
        .join('\n')}\n`,
    );
    if (result.next_cursor !== null) context.note(`more lines: --cursor ${result.next_cursor}`);
  } else context.note(`notice: no ${find} of ${result.name} in the indexed code`);
  return result.total > 0 ? EXIT.ok : EXIT.nothing;
}

/** `kebab outline`: the units of a file, or of the files of a folder, with their lines. */
export async function outline(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const app = await context.openApp();
  const path = values.arg('PATH');
  const result = await app.outline({ path, source: values.text('source') }, { signal });
  if (context.json) context.printJson(result);
  else await context.printLong(`${outlineLines(result).map(printable).join('\n')}\n`);
  return EXIT.ok;
}
