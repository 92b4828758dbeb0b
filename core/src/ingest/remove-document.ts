import { rmSync } from 'node:fs';
import type { AbortOptions } from '../contracts/contribution.ts';
import { documentIdOf, type Surroundings } from '../documents/find-document.ts';
import { locateFile } from '../documents/locate-file.ts';
import { openWriter } from '../documents/open-store.ts';
import { notFound } from '../documents/resolve-id.ts';
import { EXTERNAL, externalRoot } from '../documents/source-roots.ts';
import { formatSourcePath } from '../domain/uri.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { Ports } from '../ports.ts';
import type { DocumentRemoved } from '../wire/index.ts';

/**
 * Removes a document that was brought in by hand, and kebab's copy of it. It is named by path, URI or id. Errors: `doc_not_found`,
 * `locked`, `invalid_input` for a document of a folder, whose files kebab never removes.
 */
export async function removeDocument(
  ports: Pick<Ports, 'documents' | 'config'> & Pick<Surroundings, 'cwd'>,
  typed: string,
  options: AbortOptions = {},
): Promise<DocumentRemoved> {
  const store = await ports.documents.write();
  const id = (await documentIdOf(store, typed, ports)) as DocumentId;
  const [document] = await store.getDocuments([id]);
  if (document === undefined) throw notFound('document', id);
  const { sourceId, workspacePath } = document;
  if (sourceId !== EXTERNAL)
    throw invalidInput(
      `${formatSourcePath({ sourceId, path: workspacePath })} is a file of yours, which kebab does not remove`,
      {
        field: 'path',
        value: typed,
        hint: 'remove or ignore the file, then `kebab ingest`; `kebab remove NAME` takes out a whole source',
      },
    );
  const writer = await openWriter(store, options);
  try {
    const file = locateFile({ root: externalRoot(ports.config), linksOutside: false }, workspacePath)?.path ?? null;
    if (file !== null) rmSync(file);
    writer.transaction((tx) => tx.deleteDocument(id));
    return {
      schema_version: 'document_removed.v1',
      doc_id: id,
      doc_path: workspacePath,
      source_id: sourceId,
      removed_file: file,
    };
  } finally {
    writer.close();
  }
}
