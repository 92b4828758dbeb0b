import type { ChunkWithDocument, DocumentWrite } from '../../src/contracts/document-store.ts';
import type { Passage } from '../../src/contracts/passage.ts';
import { MemoryStore } from '../../src/testing/memory-store.ts';
import { passageOf } from '../../src/testing/passage-of.ts';

/** The first chunk of a document as a store gives it, without a knowledge base around it. */
export async function foundIn(write: DocumentWrite): Promise<ChunkWithDocument> {
  const store = new MemoryStore();
  const writer = await store.openWriter({ waitMs: 0 });
  writer.transaction((tx) => tx.putDocument(write));
  writer.close();
  const [first] = write.chunks;
  const [found] = first === undefined ? [] : await store.getChunks([first.chunkId]);
  if (found === undefined) throw new Error('the document has no chunk');
  return found;
}

/** What ranking looks at in the first chunk of a document. */
export async function passageIn(write: DocumentWrite): Promise<Passage> {
  return passageOf(await foundIn(write));
}
