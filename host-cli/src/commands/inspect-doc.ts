import type { DocInspection, DocumentId } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab inspect doc`: everything known of a document, or of its pages. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const id = (await app.resolveId('document', context.values.arg('ID'))) as DocumentId;
  const inspection = await app.inspectDoc(id, { signal: context.signal });
  if (context.values.has('pages') && !context.json) await showPages(inspection, id, context);
  else await context.show(inspection, async () => (await import('../render/doc-inspection.ts')).renderDocInspection);
  return EXIT.ok;
}

async function showPages(doc: DocInspection, docId: DocumentId, context: CommandContext): Promise<void> {
  const app = await context.openApp();
  const fetched = await app.fetch({ kind: 'doc', docId }, { signal: context.signal });
  const { renderDocPages } = await import('../render/doc-pages.ts');
  const text = fetched.kind === 'doc' ? fetched.text : '';
  context.print(renderDocPages({ doc, text }, await context.screen()));
}
