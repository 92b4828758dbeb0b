import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab sessions show`: a conversation with its questions and answers. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const session = await app.showSession(context.values.arg('NAME'), { signal: context.signal });
  await context.show(session, async () => (await import('../render/sessions.ts')).renderSession);
  return EXIT.ok;
}
