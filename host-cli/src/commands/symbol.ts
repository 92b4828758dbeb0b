import { lastStep, outlineLines, shellWord, symbolLines, SYMBOL, type RequestOf } from '@kebab/core/app';
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
  if (result.total > 0 || context.json)
    await context.showLines(result, (shown) => symbolLines({ ...shown, next_cursor: null }));
  const grep = `kebab grep -F ${shellWord(lastStep(result.name))}`;
  if (result.total === 0) context.note(`notice: no ${find} of ${result.name} in the indexed code: ${grep}`);
  else if (result.next_cursor !== null) context.note(`more lines: --cursor ${result.next_cursor}`);
  return result.total > 0 ? EXIT.ok : EXIT.nothing;
}

/** `kebab outline`: the units of a file, or of the files of a folder, with their lines. */
export async function outline(context: CommandContext): Promise<void> {
  const { values, signal } = context;
  const app = await context.openApp();
  const path = values.arg('PATH');
  const result = await app.outline({ path, source: values.text('source') }, { signal });
  await context.showLines(result, outlineLines);
}
