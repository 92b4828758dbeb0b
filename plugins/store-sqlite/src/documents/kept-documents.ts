import type { ChunkId } from '@kebab/core';
import type { ChunkWithDocument, DocumentRow } from '@kebab/core/store';
import { LRU } from 'tiny-lru';
import { valuesOf, type Statements } from '../database/statements.ts';

/** What chunks have from their document, but for its blocks. */
export interface KeptDocument {
  readonly row: DocumentRow;
  readonly title: string;
  readonly policyHash: string;
}

/** What was read of one snapshot of the database. */
export interface KeptRows {
  readonly documents: LRU<KeptDocument>;
  readonly chunks: KeptChunks;
}

/** So many are kept, one or two kilobytes each. */
const MAX_KEPT = 512;
/** So many characters are kept of chunks and of the blocks of their documents: the hits of a few hundred searches of short passages. */
const MAX_CHARACTERS = 1_000_000;

/** Another number whenever another connection has committed, and whenever this one has changed a row. */
const OTHERS = valuesOf<number>('PRAGMA data_version');
const OWN = valuesOf<number>('SELECT total_changes()');

/** The documents and chunks that were shown lately, forgotten as soon as anything in the database has changed. */
export class KeptDocuments {
  readonly #statements: Statements;
  readonly #rows: KeptRows = { documents: new LRU<KeptDocument>(MAX_KEPT), chunks: new KeptChunks() };
  #snapshot = '';

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Those of the snapshot that the transaction at hand reads. What it has written itself can be undone, and must not be put here. */
  now(): KeptRows {
    const snapshot = `${this.#statements.value(OTHERS)} ${this.#statements.value(OWN)}`;
    if (snapshot !== this.#snapshot) {
      this.#rows.documents.clear();
      this.#rows.chunks.clear();
    }
    this.#snapshot = snapshot;
    return this.#rows;
  }
}

/** Chunks by their ids, all forgotten when they have become too many characters. */
class KeptChunks {
  readonly #known = new Map<ChunkId, ChunkWithDocument>();
  #characters = 0;

  get(id: ChunkId): ChunkWithDocument | undefined {
    return this.#known.get(id);
  }

  /** `characters` is how many it holds on to. */
  set(id: ChunkId, chunk: ChunkWithDocument, characters: number): void {
    if (characters > MAX_CHARACTERS) return;
    if (this.#characters + characters > MAX_CHARACTERS) this.clear();
    this.#characters += characters;
    this.#known.set(id, chunk);
  }

  clear(): void {
    this.#known.clear();
    this.#characters = 0;
  }
}
