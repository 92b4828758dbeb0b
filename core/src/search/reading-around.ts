import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { CitedStore } from '../citation/cite-chunk.ts';

/** The store, with the text that it gave along with a chunk read from there instead of once more. */
export function readingAround(store: CitedStore, { chunk, around }: ChunkWithDocument): CitedStore {
  if (around === undefined) return store;
  const { start: first, text } = around;
  return {
    getBlocks: (id) => store.getBlocks(id),
    readText: (id, start = 0, end) =>
      end !== undefined && id === chunk.docId && start >= first && end <= first + text.length
        ? text.slice(start - first, end - first)
        : store.readText(id, start, end),
  };
}
