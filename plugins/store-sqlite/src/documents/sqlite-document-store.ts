import {
  KebabError,
  type AbortOptions,
  type Block,
  type CanonicalDocument,
  type ChunkId,
  type DocumentId,
  type SearchFilters,
} from '@kebab/core';
import {
  type Chunk,
  type ChunkWithDocument,
  type Damage,
  type DocumentStore,
  type DocumentWrite,
  type DocumentWriter,
  type KnownDocument,
  type PartlyRead,
  type Passage,
  type PreparedDocument,
  type RepairOptions,
  type SharedEmbeddingsFound,
  type StoreArchive,
  type StoreRepair,
  type TextSlice,
  type IndexText,
} from '@kebab/core/store';
import { asPromise, statementsOn } from '@kebab/sqlite-kit';
import { prepareDocument, SqlDocuments, toKnownDocuments, type Build, type Engine, type Steps } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import type { Expression, SqlBool } from 'kysely';
import { snapshotsOf, sqliteEngine } from '../database/engine.ts';
import { guarded } from '../database/store-failure.ts';
import { readSchemaVersion } from '../database/tables.ts';
import { compileFilters } from '../filter-sql.ts';
import type { SqliteDocumentWriter } from './document-writer.ts';
import { DocumentReader, readText } from './document-reader.ts';
import { storeStatements } from './store-statements.ts';

/** The files that belong to a store. */
export interface DocumentStoreOptions {
  /** The location of the data, for messages. */
  readonly location: string;
  /** The lock file of the writer; null for a database that no other process can access. */
  readonly lockFile: string | null;
  /** The file of the embeddings that all knowledge bases of the user share; null for none. */
  readonly embeddingCache: string | null;
}

const ID_LENGTH = 32;

/**
 * Stores documents in a SQLite database with the current schema. Owns its connection, and closes it. Each method reads one snapshot; inside
 * a transaction of this connection's writer it also sees what that has written so far.
 */
export class SqliteDocumentStore extends SqlDocuments implements DocumentStore {
  readonly location: string;
  readonly #engine: Engine;
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof storeStatements>;
  readonly #lockFile: string | null;
  readonly #embeddingCache: string | null;
  readonly #reader: DocumentReader;
  #writer: SqliteDocumentWriter | null = null;
  readonly #onSnapshot: ReturnType<typeof snapshotsOf>;
  readonly #here = { isHeld: false };

  constructor(db: Connection, options: DocumentStoreOptions) {
    const engine = sqliteEngine(db, options.location);
    super(engine);
    this.#engine = engine;
    this.#db = db;
    this.#statements = statementsOn(db, storeStatements);
    this.#reader = new DocumentReader(db);
    this.#onSnapshot = snapshotsOf(db, options.location);
    this.location = options.location;
    this.#lockFile = options.lockFile;
    this.#embeddingCache = options.embeddingCache;
  }

  get schemaVersion(): number {
    return readSchemaVersion(this.#db) ?? 0;
  }

  corpusRevision(): Promise<number> {
    // Called three times a search; a single statement reads one snapshot even without a transaction.
    return asPromise(() => this.#guard(() => Number(this.#fact('corpus_revision'))));
  }

  findIds(kind: 'document' | 'chunk', prefix: string, limit: number): Promise<readonly string[]> {
    const { documentIds, chunkIds } = this.#statements;
    const range = { first: prefix.padEnd(ID_LENGTH, '0'), last: prefix.padEnd(ID_LENGTH, 'f'), limit };
    return this.#read(() => (kind === 'document' ? documentIds : chunkIds).all(range).map(({ id }) => id));
  }

  readTexts(slices: readonly TextSlice[]): Promise<readonly string[]> {
    return this.#read(() =>
      slices.map(({ docId, start = 0, end = Infinity }) => {
        const row = this.#statements.size.first({ doc_id: docId });
        if (row === undefined)
          throw new KebabError('doc_not_found', `there is no document ${docId}`, {
            details: { doc_id: docId, path: null },
          });
        return readText(this.#db, row.seq, Math.max(0, start), Math.min(row.text_length, end));
      }),
    );
  }

  getBlocks(ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, readonly Block[]>> {
    return this.#read((reader) => {
      const blocks = new Map<DocumentId, readonly Block[]>();
      for (const id of new Set(ids)) {
        const row = this.#statements.size.first({ doc_id: id });
        if (row !== undefined) blocks.set(id, reader.blocks(row.seq, id));
      }
      return blocks;
    });
  }

  prepare(write: DocumentWrite): PreparedDocument {
    return { docId: write.document.docId, prepared: prepareDocument(write) };
  }

  async indexTexts(id: DocumentId): Promise<readonly IndexText[]> {
    const { FullText } = await import('./full-text.ts');
    return this.#read(() => {
      const row = this.#statements.size.first({ doc_id: id });
      return row === undefined ? [] : new FullText(this.#db).rowsOf(row.seq).map(({ texts }) => texts);
    });
  }

  getCanonicalDocument(id: DocumentId): Promise<CanonicalDocument | null> {
    return this.#read((reader) => reader.canonicalDocument(id));
  }

  getChunks(ids: readonly ChunkId[]): Promise<readonly ChunkWithDocument[]> {
    return this.#read((reader) => reader.chunksWithDocuments(ids));
  }

  getPassages(ids: readonly ChunkId[]): Promise<readonly Passage[]> {
    return this.#read((reader) => reader.passages(ids));
  }

  listChunks(id: DocumentId, from = 0, to: number = Number.MAX_SAFE_INTEGER): Promise<readonly Chunk[]> {
    return this.#read((reader) => reader.chunks(id, from, to));
  }

  knownDocuments(sourceId: string, paths?: readonly string[]): Promise<ReadonlyMap<string, KnownDocument>> {
    return this.#read(() =>
      toKnownDocuments(
        paths === undefined
          ? this.#statements.known.all.each({ source_id: sourceId })
          : this.#statements.known.at.each({ source_id: sourceId, paths: JSON.stringify(paths) }),
      ),
    );
  }

  override partlyRead(ids?: readonly DocumentId[]): Promise<readonly PartlyRead[]> {
    return ids === undefined ? super.partlyRead() : this.#read((reader) => reader.partlyRead(ids));
  }

  // oxlint-disable-next-line require-yield -- another store asks its server
  protected *conditions(_build: Build, filters: SearchFilters): Steps<readonly Expression<SqlBool>[]> {
    return compileFilters(filters);
  }

  protected async findDamage(deep: boolean): Promise<readonly Damage[]> {
    const { findDamage } = await import('./find-damage.ts');
    return this.#guard(() => findDamage(this.#db, deep));
  }

  async repair(options: RepairOptions): Promise<StoreRepair> {
    const { repairDatabase } = await import('./salvage.ts');
    this.#db.exec('DROP TABLE IF EXISTS temp.chunks_vocab');
    return repairDatabase({ file: this.location, lockFile: this.#lockFile, here: this.#here }, options);
  }

  async archive(): Promise<StoreArchive> {
    const { sqliteArchive } = await import('./sqlite-archive.ts');
    return sqliteArchive(this.#db, { engine: this.#engine, read: (query) => this.#read(query) });
  }

  async sharedEmbeddings(): Promise<SharedEmbeddingsFound | null> {
    const file = this.#embeddingCache;
    if (file === null) return null;
    const { sharedEmbeddingsSize } = await import('../derivations/shared-embeddings.ts');
    const size = sharedEmbeddingsSize(file);
    return size === null ? null : { file, ...size };
  }

  async openWriter(waiting: { readonly waitMs: number } & AbortOptions): Promise<DocumentWriter> {
    if (this.#db.readonly)
      throw new KebabError('readonly_mode', `${this.location} was opened for reading`, {
        details: { command: 'write' },
      });
    const { WriterLock } = await import('../locking/writer-lock.ts');
    const { SqliteDocumentWriter } = await import('./document-writer.ts');
    const lock = await WriterLock.acquire({
      ...waiting,
      path: this.#lockFile,
      location: this.location,
      here: this.#here,
    });
    const onClose = (): void => {
      this.#writer = null;
      lock.release();
    };
    try {
      const options = { engine: this.#engine, embeddingCache: this.#embeddingCache, onClose };
      this.#writer = this.#guard(() => new SqliteDocumentWriter(this.#db, options));
      return this.#writer;
    } catch (error) {
      onClose();
      throw error;
    }
  }

  close(): void {
    this.#writer?.closeNow();
    this.#db.close();
  }

  #fact(key: 'corpus_revision'): string | undefined {
    return this.#statements.fact.first({ key })?.value;
  }

  /** Runs queries on one snapshot. */
  #read<T>(query: (reader: DocumentReader) => T): Promise<T> {
    return this.#onSnapshot(() => query(this.#reader));
  }

  #guard<T>(act: () => T): T {
    return guarded(this.location, act);
  }
}
