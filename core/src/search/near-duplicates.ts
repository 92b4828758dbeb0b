import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { ChunkRank } from './chunk-rank.ts';
import { TextPrint } from './text-print.ts';

/** Texts of fewer words are shown as often as they occur: they take no room, and are alike by chance. */
const LEAST_WORDS = 20;

/**
 * Lets a text that occurs several times in a list stand for itself once: each chunk that nearly equals a better one goes
 * behind all others, in order, and the better one is told which those are. Nothing is left out, so that as many hits come
 * back as there are matches; a copy that stands lower scores no more than what stands before it.
 */
export function setDuplicatesBack(
  entries: readonly ChunkRank[],
  chunks: ReadonlyMap<ChunkId, ChunkWithDocument>,
): readonly ChunkRank[] {
  const originals: { readonly id: ChunkId; readonly print: TextPrint }[] = [];
  const copies = new Map<ChunkId, ChunkId[]>();
  const originalOf = new Map<ChunkId, ChunkId>();
  for (const { chunkId } of entries) {
    const print = new TextPrint(chunks.get(chunkId)?.chunk.text ?? '');
    if (print.words < LEAST_WORDS) continue;
    const original = originals.find((known) => known.print.isNearly(print));
    if (original === undefined) originals.push({ id: chunkId, print });
    else {
      copies.set(original.id, [...(copies.get(original.id) ?? []), chunkId]);
      originalOf.set(chunkId, original.id);
    }
  }
  if (originalOf.size === 0) return entries;
  const kept = entries.filter(({ chunkId }) => !originalOf.has(chunkId));
  const back = entries.filter(({ chunkId }) => originalOf.has(chunkId));
  const least = kept.reduce((score, entry) => Math.min(score, entry.score), Infinity);
  return [
    ...kept.map((entry) => {
      const duplicates = copies.get(entry.chunkId);
      return duplicates === undefined ? entry : { ...entry, duplicates };
    }),
    ...back.map((entry) => {
      const duplicateOf = originalOf.get(entry.chunkId) as ChunkId;
      return { ...entry, score: Math.min(entry.score, least), duplicateOf };
    }),
  ];
}
