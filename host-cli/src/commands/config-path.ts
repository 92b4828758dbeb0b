import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab config path`: which files and folders are in use. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp({ despiteConfig: true });
  const paths = await app.configPaths();
  await context.show(paths, async () => (await import('../render/config-paths.ts')).renderConfigPaths);
  return EXIT.ok;
}
