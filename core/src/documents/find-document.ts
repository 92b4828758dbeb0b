import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { normalizeWorkspacePath } from '../domain/workspace-path.ts';
import { invalidInput } from '../errors/invalid-input.ts';

/**
 * The document at a path, in one source or in whichever holds it; null when there is none. Throws `invalid_input` when
 * several sources hold one and none is named.
 */
export async function findDocument(
  store: Pick<DocumentStore, 'findDocument' | 'findByPath'>,
  path: string,
  source: string | undefined,
): Promise<DocumentRow | null> {
  const workspacePath = normalizeWorkspacePath(path);
  if (source !== undefined) return store.findDocument(source, workspacePath);
  const [only = null, ...others] = await store.findByPath(workspacePath);
  if (only === null || others.length === 0) return only;
  const sources = [only, ...others].map(({ sourceId }) => sourceId);
  throw invalidInput(`${JSON.stringify(workspacePath)} is in several sources: ${sources.join(', ')}`, {
    field: 'source',
    value: workspacePath,
    allowed: sources,
    hint: 'name one with --source',
  });
}
