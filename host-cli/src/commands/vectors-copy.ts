import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab vectors copy`: copies all vectors to another vector store, so that nothing is embedded again. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const request = { from: required(context, 'from'), to: required(context, 'to') };
  const app = await context.openApp();
  const copied = await app.copyVectors(request, { signal: context.signal });
  await context.show(copied, async () => (await import('../render/vectors-copied.ts')).renderVectorsCopied);
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
