import type { ChunkId } from '@kebab/core';
import type { ChunkWithDocument, DocumentRow } from '@kebab/core/store';
import { LRU } from 'tiny-lru';
import { valuesOf, type Statements } from '../database/statements.ts';

/** The data that chunks take from their document, except its blocks. */
export interface KeptDocument {
  readonly row: DocumentRow;
  readonly title: string;
  readonly policyHash: string;
}

/** The cached rows of one snapshot of the database. */
export interface KeptRows {
  readonly documents: LRU<KeptDocument>;
  readonly chunks: KeptChunks;
}

/** Maximum number of cached documents, one or two kilobytes each. */
const MAX_KEPT = 512;
/** Maximum size of cached chunks with the blocks of their documents: the hits of a few hundred searches for short passages. */
const MAX_CHARACTERS = 1_000_000;

/** `OTHERS` changes whenever another connection commits, `OWN` whenever this one changes a row. */
const OTHERS = valuesOf<number>('PRAGMA data_version');
const OWN = valuesOf<number>('SELECT total_changes()');

/** Caches documents and chunks across reads; emptied whenever anything in the database has changed. */
export class KeptDocuments {
  readonly #statements: Statements;
  readonly #rows: KeptRows = { documents: new LRU<KeptDocument>(MAX_KEPT), chunks: new KeptChunks() };
  #snapshot = '';

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The cache for the snapshot of the current transaction. Data that this transaction wrote may be rolled back and must not be cached. */
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

/** Caches chunks by id; emptied when it would exceed its maximum size. */
class KeptChunks {
  readonly #known = new Map<ChunkId, ChunkWithDocument>();
  #characters = 0;

  get(id: ChunkId): ChunkWithDocument | undefined {
    return this.#known.get(id);
  }

  /** `characters` is the number of characters that the chunk retains. */
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
