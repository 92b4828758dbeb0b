import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab doctor`: checks that everything works. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp({ despiteConfig: true });
  const doctor = await app.doctor({ signal: context.signal });
  await context.show(doctor, async () => (await import('../render/doctor.ts')).renderDoctor);
  return doctor.ok ? EXIT.ok : EXIT.unhealthy;
}
