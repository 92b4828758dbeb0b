import type { DocumentRow } from '../contracts/document-store.ts';
import type { VectorPayload } from '../contracts/vector-store.ts';

/** What a vector store that filters by itself must know of the document that a vector belongs to. */
export function vectorPayload(document: DocumentRow): VectorPayload {
  const { tags, lang, trustLevel, media, committedAt, repo, codeLang, sourceId, sourceType, workspacePath } = document;
  return { tags, lang, trustLevel, media, committedAt, repo, codeLang, sourceId, sourceType, workspacePath };
}
