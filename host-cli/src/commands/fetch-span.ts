import { invalidInput, type DocumentId } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { budgetOf } from './fetch-budget.ts';
import { showFetch } from './show-fetch.ts';

/** `kebab fetch span`: reads lines of a document. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const lineStart = lineOf(context, 'START');
  const lineEnd = lineOf(context, 'END');
  const app = await context.openApp();
  const docId = (await app.resolveId('document', context.values.arg('DOC_ID'))) as DocumentId;
  await showFetch(await app.fetch({ kind: 'span', docId, lineStart, lineEnd }, budgetOf(context)), context);
  return EXIT.ok;
}

function lineOf({ values }: CommandContext, name: 'START' | 'END'): number {
  const typed = values.arg(name);
  if (/^\d{1,15}$/.test(typed)) return Number(typed);
  throw invalidInput(`${name} is a line number, not ${JSON.stringify(typed)}`, { field: name, value: typed });
}
