import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/passage.ts';
import type { ChunkId } from '../domain/ids.ts';
import { TextPrint } from './text-print.ts';

/** A passage, and on request what it says as numbers. */
export interface ReadPassage extends Passage {
  /** The same object each time. */
  readonly print: () => TextPrint;
}

/** Where passages are read, and the corpus revision that they are read at. */
export interface PassageSource {
  readonly store: Pick<DocumentStore, 'getPassages'>;
  readonly revision: number;
}

/**
 * Remembers the passages that the last searches of a process looked at, the least recently used forgotten first, and all of
 * them as soon as the corpus has changed: searches on one subject look at the same passages again and again.
 */
export class PassageCache {
  readonly #capacity: number;
  readonly #passages = new Map<ChunkId, ReadPassage>();
  #revision = -1;

  constructor(capacity = 1024) {
    this.#capacity = capacity;
  }

  /** One for each id; ids that are gone are missing. */
  read(ids: readonly ChunkId[], { store, revision }: PassageSource): ReadonlyMap<ChunkId, ReadPassage> {
    if (revision !== this.#revision) this.#passages.clear();
    this.#revision = revision;
    const unknown = ids.filter((id) => !this.#passages.has(id));
    const added = unknown.length === 0 ? [] : store.getPassages(unknown).map(readPassage);
    const found = new Map(added.map((passage) => [passage.chunkId, passage]));
    for (const id of ids) {
      const passage = found.get(id) ?? this.#passages.get(id);
      if (passage === undefined) continue;
      found.set(id, passage);
      this.#passages.delete(id);
      this.#passages.set(id, passage);
    }
    this.#forget();
    return found;
  }

  #forget(): void {
    for (const id of this.#passages.keys()) {
      if (this.#passages.size <= this.#capacity) return;
      this.#passages.delete(id);
    }
  }
}

/** A passage with its print, which is taken when it is first asked for. */
function readPassage(passage: Passage): ReadPassage {
  let print: TextPrint | undefined;
  const text = detached(passage.text);
  return { ...passage, text, print: () => (print ??= new TextPrint(text)) };
}

/** V8 keeps the whole text alive that a slice was cut from; this one is a slice of a copy of itself. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1);
}
