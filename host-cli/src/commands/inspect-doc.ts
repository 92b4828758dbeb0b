import type { DocumentId } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab inspect doc`: everything known of a document. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const id = (await app.resolveId('document', context.values.arg('ID'))) as DocumentId;
  const inspection = await app.inspectDoc(id, { signal: context.signal });
  await context.show(inspection, async () => (await import('../render/doc-inspection.ts')).renderDocInspection);
  return EXIT.ok;
}
