import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab plugin doctor`: a check for each plugin; the suites are not run. */
export async function run(context: CommandContext): Promise<ExitCode> {
  context.showsPlugins();
  const app = await context.openApp();
  const doctor = await app.pluginDoctor({ signal: context.signal });
  await context.show(doctor, async () => (await import('../render/doctor.ts')).renderDoctor);
  return doctor.ok ? EXIT.ok : EXIT.unhealthy;
}
