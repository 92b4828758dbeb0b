import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';

/** `kebab rm`: removes a document that was brought in by hand. */
export async function rm(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const removed = await app.removeDocument(context.values.arg('PATH'), { signal: context.signal });
  await context.show(removed, ({ source_id, doc_path }) => `removed  ${printable(`${source_id}:${doc_path}`)}\n`);
  return EXIT.ok;
}
