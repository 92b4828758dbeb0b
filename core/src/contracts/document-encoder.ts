import type { IndexMaterial, IndexText } from '../analysis/index-text.ts';
import type { DocumentWrite, PreparedDocument } from './document-store.ts';

/**
 * Encodes documents for the store and the full-text index of the same plugin in a process where neither is open: the process that reads a
 * file, while the store writes others. It holds no state and opens nothing.
 */
export interface DocumentEncoder {
  /** Analyses a chunk exactly as the full-text index does. */
  analyseChunk(material: IndexMaterial): IndexText;
  /**
   * Encodes a document exactly as a writer of the store does. The result is plain data, which can be sent to another process. Throws a
   * TypeError when the parts of the document do not belong together.
   */
  prepare(write: DocumentWrite): PreparedDocument;
}
