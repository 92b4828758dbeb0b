import type { ChunkId } from '../domain/ids.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { KnownPassage, TextPrint } from './passage-cache.ts';

/** Texts of fewer words are shown as often as they occur: they take no room, and are alike by chance. */
const LEAST_WORDS = 20;

/**
 * Lets a text that occurs several times in a list stand for itself once: each chunk that nearly equals a better one goes
 * behind all others, in order, and the better one is told which those are. Nothing is left out, so that as many hits come
 * back as there are matches; a copy that stands lower scores no more than what stands before it. A file of the user's comes
 * before a copy of it that was brought in by hand.
 */
export function setDuplicatesBack(
  found: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, PassagePrint>,
): readonly ChunkRank[] {
  const entries = withFilesBeforeCopies(found, passages);
  const originals = new Originals();
  const copies = new Map<ChunkId, ChunkId[]>();
  const originalOf = new Map<ChunkId, ChunkId>();
  for (const { chunkId } of entries) {
    const print = passages.get(chunkId)?.print;
    if (print === undefined || print.words < LEAST_WORDS) continue;
    const original = originals.findOrAdd(chunkId, print);
    if (original === chunkId) continue;
    copies.set(original, [...(copies.get(original) ?? []), chunkId]);
    originalOf.set(chunkId, original);
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

type PassagePrint = Pick<KnownPassage, 'print' | 'isBroughtIn'>;

/** Lets a file of the user's change places, and scores, with the copy of it that stands higher. */
function withFilesBeforeCopies(
  entries: readonly ChunkRank[],
  passages: ReadonlyMap<ChunkId, PassagePrint>,
): readonly ChunkRank[] {
  const isCopy = ({ chunkId }: ChunkRank): boolean => passages.get(chunkId)?.isBroughtIn === true;
  if (!entries.some(isCopy)) return entries;
  const originals = new Originals();
  const placeOf = new Map<ChunkId, number>();
  const ordered = [...entries];
  for (const [at, entry] of entries.entries()) {
    const print = passages.get(entry.chunkId)?.print;
    if (print === undefined || print.words < LEAST_WORDS) continue;
    const original = originals.findOrAdd(entry.chunkId, print);
    if (original === entry.chunkId) placeOf.set(original, at);
    const place = placeOf.get(original) ?? at;
    const higher = ordered[place];
    if (higher === undefined || place === at || isCopy(entry) || !isCopy(higher)) continue;
    ordered[place] = { ...entry, score: higher.score };
    ordered[at] = { ...higher, score: entry.score };
  }
  return ordered;
}

interface Original {
  readonly id: ChunkId;
  readonly print: TextPrint;
  readonly at: number;
}

/** The texts seen so far, each under its least runs: only texts that share some of those can be nearly the same. */
class Originals {
  readonly #byRun = new Map<number, Original[]>();
  #count = 0;

  /** The best earlier text that nearly equals this one; else this one, which is known from now on. */
  findOrAdd(id: ChunkId, print: TextPrint): ChunkId {
    const original = this.#find(print);
    if (original !== undefined) return original.id;
    const added = { id, print, at: this.#count++ };
    for (const run of print.leastRuns) {
      const sharing = this.#byRun.get(run);
      if (sharing === undefined) this.#byRun.set(run, [added]);
      else sharing.push(added);
    }
    return id;
  }

  #find(print: TextPrint): Original | undefined {
    const alike = new Set<Original>();
    for (const run of print.leastRuns) for (const known of this.#byRun.get(run) ?? []) alike.add(known);
    if (alike.size === 0) return undefined;
    return [...alike].toSorted((a, b) => a.at - b.at).find((known) => known.print.isNearly(print));
  }
}
