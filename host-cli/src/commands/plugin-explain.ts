import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab plugin explain`: which extractor and chunker a file goes through, and why. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const explained = await app.pluginExplain(context.values.arg('FILE'));
  await context.show(explained, async () => (await import('../render/plugin-explain.ts')).renderPluginExplain);
  return explained.extractor === null ? EXIT.nothing : EXIT.ok;
}
