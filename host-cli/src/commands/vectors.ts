import { invalidInput, type VectorsCopied } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
import { counted } from '../screen/quantities.ts';

/** `kebab vectors copy`: copies all vectors to another vector store, so that nothing is embedded again. */
export async function vectorsCopy(context: CommandContext): Promise<ExitCode> {
  const request = { from: required(context, 'from'), to: required(context, 'to') };
  const app = await context.openApp();
  await context.show(await app.copyVectors(request, { signal: context.signal }), renderCopied);
  return EXIT.ok;
}

function required({ values }: CommandContext, flag: string): string {
  const value = values.text(flag);
  if (value !== undefined) return value;
  throw invalidInput(`vectors copy needs --${flag}`, {
    field: `--${flag}`,
    hint: 'for example `kebab vectors copy --from local --to qdrant`',
  });
}

/** What was copied, a line for each collection, and what to do to use the copy. */
function renderCopied({ from, to, collections }: VectorsCopied): string {
  if (collections.length === 0) return `${printable(from)} holds no vectors of this knowledge base\n`;
  const lines = collections.map(
    ({ collection, vectors }) => `copied    ${printable(collection)}  ${counted(vectors, 'vector')}`,
  );
  const hint = `hint      set storage.vector_store = "${printable(to)}" (or KEBAB_STORAGE_VECTOR_STORE) to search there`;
  return `${lines.join('\n')}\n${hint}\n`;
}
