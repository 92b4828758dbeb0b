import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab init`: writes a configuration file and creates the folders it names. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const force = context.values.has('force');
  const app = await context.openApp({ despiteConfig: force }); // what is about to be overwritten may be broken
  const report = await app.init({ force, signal: context.signal });
  await context.show(report, async () => (await import('../render/init.ts')).renderInit);
  return EXIT.ok;
}
