import type { DocumentId } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { budgetOf } from './fetch-budget.ts';
import { showFetch } from './show-fetch.ts';

/** `kebab fetch doc`: reads a document. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const docId = (await app.resolveId('document', context.values.arg('ID'))) as DocumentId;
  await showFetch(await app.fetch({ kind: 'doc', docId }, budgetOf(context)), context);
  return EXIT.ok;
}
