import type { Chunk } from '../domain/chunk.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import type { VectorPayload } from '../contracts/vector-store.ts';

/** Part of the key of cached vectors; grows when {@link embeddingText} changes. */
export const EMBEDDING_TEXT_VERSION = 1;

/**
 * What an embedder is given for a chunk: the headings it stands under, outermost first, then its own words. A heading that
 * the chunk begins with is not said twice. Where the file lies plays no part, so that moving it changes no vector.
 */
export function embeddingText({
  text,
  headingPath,
  sectionLabel,
}: Pick<Chunk, 'text' | 'headingPath' | 'sectionLabel'>): string {
  const headings = headingPath.length > 0 ? headingPath : sectionLabel === null ? [] : [sectionLabel];
  const unsaid = headings.filter((heading) => !firstLine(text).includes(heading));
  return [...unsaid, text].join('\n');
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n') === -1 ? text.length : text.indexOf('\n'));
}

/** What a vector store that filters by itself must know of the document that a vector belongs to. */
export function vectorPayload(document: DocumentRow): VectorPayload {
  const { tags, lang, trustLevel, media, committedAt, repo, codeLang, sourceId, sourceType, workspacePath } = document;
  return { tags, lang, trustLevel, media, committedAt, repo, codeLang, sourceId, sourceType, workspacePath };
}
