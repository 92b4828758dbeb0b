import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab sessions delete`: removes a conversation. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const removed = await app.deleteSession(context.values.arg('NAME'), { signal: context.signal });
  await context.show(removed, async () => (await import('../render/sessions.ts')).renderSessionRemoved);
  return EXIT.ok;
}
