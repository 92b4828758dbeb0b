import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab config show`: every setting and where it comes from. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const view = await app.configView();
  await context.show(view, async () => (await import('../render/config-view.ts')).renderConfigView);
  return EXIT.ok;
}
