import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab sessions list`: conversations, the one used last first. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const sessions = await app.listSessions({ signal: context.signal });
  for (const session of sessions)
    await context.show(session, async () => (await import('../render/sessions.ts')).renderSessionLine);
  if (sessions.length === 0 && !context.json) context.print('no sessions\n');
  return EXIT.ok;
}
