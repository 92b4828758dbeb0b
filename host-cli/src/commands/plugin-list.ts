import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab plugin list`: plugins, and why any of them does not run. */
export async function run(context: CommandContext): Promise<ExitCode> {
  context.showsPlugins();
  const app = await context.openApp();
  const list = await app.pluginList();
  await context.show(list, async () => (await import('../render/plugin-list.ts')).renderPluginList);
  return EXIT.ok;
}
