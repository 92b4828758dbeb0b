import type { DocumentStore } from '../contracts/document-store.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Ports } from '../ports.ts';

/** The store of documents, or null when there is no database yet. Throws `not_indexed` for one of another schema. */
export async function openStore(documents: Ports['documents']): Promise<DocumentStore | null> {
  try {
    return await documents.read();
  } catch (error) {
    if (isKebabError(error, 'not_indexed') && !/^schema \d/.test(error.details.found)) return null;
    throw error;
  }
}
