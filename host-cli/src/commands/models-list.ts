import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab models list`: models, which of them are here, and which are configured. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const list = await app.modelList();
  await context.show(list, async () => (await import('../render/model-list.ts')).renderModelList);
  return EXIT.ok;
}
