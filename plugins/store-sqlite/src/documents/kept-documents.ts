import type { ChunkId } from '@kebab/core';
import type { ChunkWithDocument, DocumentRow } from '@kebab/core/store';
import { LRU } from 'tiny-lru';
import type { Database as Connection, Statement } from 'better-sqlite3';
import { build, statement, type BuiltStatement } from '../database/statements.ts';

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

/** Caches documents and chunks across reads; emptied whenever anything in the database has changed. */
export class KeptDocuments {
  /** Changes whenever another connection commits. */
  readonly #others: Statement;
  /** Changes whenever this connection changes a row. */
  readonly #own: BuiltStatement<object, { readonly changes: number }>;
  readonly #rows: KeptRows = { documents: new LRU<KeptDocument>(MAX_KEPT), chunks: new KeptChunks() };
  #snapshot = '';

  constructor(db: Connection) {
    this.#others = db.prepare('PRAGMA data_version').pluck();
    this.#own = totalChanges(db);
  }

  /** The cache for the snapshot of the current transaction. Data that this transaction wrote may be rolled back and must not be cached. */
  now(): KeptRows {
    const snapshot = `${String(this.#others.get())} ${this.#own.first({})?.changes}`;
    if (snapshot !== this.#snapshot) {
      this.#rows.documents.clear();
      this.#rows.chunks.clear();
    }
    this.#snapshot = snapshot;
    return this.#rows;
  }
}

/** How many rows a connection has changed so far. */
export function totalChanges(db: Connection): BuiltStatement<object, { readonly changes: number }> {
  return statement(db, () => build.selectNoFrom(({ fn }) => fn<number>('total_changes').as('changes')));
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
