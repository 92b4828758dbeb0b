import type { ChunkWithDocument, DocumentWrite } from '../../src/contracts/document-store.ts';
import type { Passage } from '../../src/contracts/retriever.ts';
import { passageOf } from '../../../testing/src/document-store-reading.ts';
import { rowOf } from '../../../testing/src/store-with.ts';

/** The first chunk of a document as a store returns it, without a knowledge base. */
export function foundIn(write: DocumentWrite): ChunkWithDocument {
  const [chunk] = write.chunks;
  if (chunk === undefined) throw new Error('the document has no chunk');
  return { chunk, document: rowOf(write) };
}

/** The passage of the first chunk of a document. */
export function passageIn(write: DocumentWrite): Passage {
  return passageOf(foundIn(write));
}
