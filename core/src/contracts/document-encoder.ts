import type { IndexMaterial, IndexText } from '../analysis/index-text.ts';
import type { DocumentWrite, PreparedDocument } from './document-store.ts';

/**
 * Makes documents ready for the store and the full-text index of the same plugin where these are not open: in the process that
 * reads a file, while the store writes others. It holds nothing, and opens nothing.
 */
export interface DocumentEncoder {
  /** Analyses a chunk as the full-text index does. */
  analyseChunk(material: IndexMaterial): IndexText;
  /**
   * Encodes a document as a writer of the store does. What comes of it is plain data, which can be sent to another process.
   * Throws a TypeError when the parts of the document do not belong together.
   */
  prepare(write: DocumentWrite): PreparedDocument;
}
