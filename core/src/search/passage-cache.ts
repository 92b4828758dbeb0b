import type { DocumentStore } from '../contracts/document-store.ts';
import type { Passage } from '../contracts/passage.ts';
import type { ChunkId } from '../domain/ids.ts';
import { TextPrint } from './text-print.ts';

/** What is remembered of a passage. */
export interface KnownPassage extends Pick<
  Passage,
  'chunkId' | 'docId' | 'workspacePath' | 'media' | 'symbol' | 'sectionLabel'
> {
  /** What it says, as numbers. */
  readonly print: TextPrint;
  /** Of source code alone: nothing else is looked at twice. */
  readonly code: string | null;
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
  readonly #passages = new Map<ChunkId, KnownPassage>();
  #revision = -1;

  constructor(capacity = 8192) {
    this.#capacity = capacity;
  }

  /** One for each id; ids that are gone are missing. */
  read(ids: readonly ChunkId[], { store, revision }: PassageSource): ReadonlyMap<ChunkId, KnownPassage> {
    if (revision !== this.#revision) this.#passages.clear();
    this.#revision = revision;
    const unknown = ids.filter((id) => !this.#passages.has(id));
    const added = unknown.length === 0 ? [] : store.getPassages(unknown).map(knownPassage);
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

/** All that ranking needs, which is far less than the passage. */
function knownPassage(passage: Passage): KnownPassage {
  const { chunkId, docId, workspacePath, media, symbol, sectionLabel, text } = passage;
  const code = media === 'code' ? detached(text) : null;
  return { chunkId, docId, workspacePath, media, symbol, sectionLabel, code, print: new TextPrint(text) };
}

/** V8 keeps the whole text alive that a slice was cut from; this one is a slice of a copy of itself. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1);
}
