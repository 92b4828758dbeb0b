import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab schema`: tells versions, capabilities and counts. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const schema = await app.schema({ signal: context.signal });
  await context.show(schema, async () => (await import('../render/schema.ts')).renderSchema);
  return EXIT.ok;
}
