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
  type IndexText,
  type JobRepo,
  type KnownDocument,
  type Passage,
  type PreparedDocument,
  type StoreArchive,
  type TextSlice,
} from '@kebab/core/store';
import { SqlDocuments, toKnownDocuments, type Build, type Steps } from '@kebab/store-kit';
import { sql, type Expression, type SqlBool } from 'kysely';
import { listenTo } from '../database/connection.ts';
import { REVISION_CHANNEL } from '../database/corpus-revision.ts';
import { postgresEngine } from '../database/engine.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import type { WordsWriter } from '../words-writer.ts';
import { postgresDocument } from './document-changes.ts';
import { documentFilters } from './document-filters.ts';
import {
  blocksOf,
  canonicalDocument,
  chunksOf,
  chunksWithDocuments,
  knownRows,
  passages,
  textSlices,
} from './document-queries.ts';

const ID_LENGTH = 32;

/** How long a job waits before its second attempt. */
const RETRY_S = 2;

/** Stores documents on a PostgreSQL server. Owns its database, and closes it. Each method reads one snapshot. */
export class PostgresDocumentStore extends SqlDocuments implements DocumentStore {
  readonly location: string;
  readonly schemaVersion = SCHEMA_VERSION;
  readonly #database: PostgresDatabase;
  readonly #words: WordsWriter;
  #writer: DocumentWriter | null = null;

  constructor(database: PostgresDatabase, words: WordsWriter) {
    super(postgresEngine(database), postgresEngine(database, database.reads));
    this.#database = database;
    this.#words = words;
    this.location = database.address.shown;
  }

  async indexTexts(id: DocumentId): Promise<readonly IndexText[]> {
    const { indexedDocuments } = await import('./index-texts.ts');
    const [document] = await this.#read((tx) => indexedDocuments(tx, sql<boolean>`d.doc_id = ${id}`, 1));
    return document?.index ?? [];
  }

  async archive(): Promise<StoreArchive> {
    const { postgresArchive } = await import('./postgres-archive.ts');
    return postgresArchive(this.#database);
  }

  async jobs(): Promise<JobRepo> {
    const { PostgresJobRepo } = await import('../jobs/postgres-job-repo.ts');
    return new PostgresJobRepo(this.#database, { leaseS: this.#database.jobLeaseS, retryS: RETRY_S });
  }

  prepare(write: DocumentWrite): PreparedDocument {
    return { docId: write.document.docId, prepared: postgresDocument(write, this.#words) };
  }

  corpusRevision(): Promise<number> {
    return this.#database.revision();
  }

  onRevision(
    listener: (event: 'changed' | 'lost') => void,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    const { target } = this.#database;
    return this.#database.guard(() =>
      listenTo(target, REVISION_CHANNEL, {
        onNotice: (schema) => {
          if (schema === target.schema) listener('changed');
        },
        onLost: () => listener('lost'),
        signal,
      }),
    );
  }

  async findIds(kind: 'document' | 'chunk', prefix: string, limit: number): Promise<readonly string[]> {
    const [first, last] = [prefix.padEnd(ID_LENGTH, '0'), prefix.padEnd(ID_LENGTH, 'f')];
    const [table, column] =
      kind === 'document' ? (['documents', 'doc_id'] as const) : (['chunks', 'chunk_id'] as const);
    const { rows } = await this.#statement((db) =>
      sql<{ readonly id: string }>`SELECT ${sql.ref(column)} AS id FROM ${sql.table(table)}
        WHERE ${sql.ref(column)} BETWEEN ${first} AND ${last} ORDER BY 1 LIMIT ${limit}`.execute(db),
    );
    return rows.map(({ id }) => id);
  }

  async readTexts(slices: readonly TextSlice[]): Promise<readonly string[]> {
    const texts = await this.#statement((db) => textSlices(db, slices));
    return texts.map((text, at) => {
      if (text !== null) return text;
      const id = slices[at]?.docId ?? null;
      throw new KebabError('doc_not_found', `there is no document ${id}`, { details: { doc_id: id, path: null } });
    });
  }

  getBlocks(ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, readonly Block[]>> {
    return this.#statement((db) => blocksOf(db, ids));
  }

  getCanonicalDocument(id: DocumentId): Promise<CanonicalDocument | null> {
    return this.#read((tx) => canonicalDocument(tx, id));
  }

  getChunks(ids: readonly ChunkId[]): Promise<readonly ChunkWithDocument[]> {
    return this.#statement((db) => chunksWithDocuments(db, ids));
  }

  getPassages(ids: readonly ChunkId[]): Promise<readonly Passage[]> {
    return this.#statement((db) => passages(db, ids));
  }

  listChunks(id: DocumentId, from = 0, to: number = Number.MAX_SAFE_INTEGER): Promise<readonly Chunk[]> {
    return this.#read((tx) => chunksOf(tx, id, from, to));
  }

  async knownDocuments(sourceId: string, paths?: readonly string[]): Promise<ReadonlyMap<string, KnownDocument>> {
    return toKnownDocuments(await this.#statement((db) => knownRows(db, sourceId, paths)));
  }

  protected conditions(build: Build, filters: SearchFilters): Steps<readonly Expression<SqlBool>[]> {
    return documentFilters(build, filters);
  }

  protected async findDamage(deep: boolean): Promise<readonly Damage[]> {
    const { findDamage } = await import('./find-damage.ts');
    return this.#read((tx) => findDamage(tx, deep));
  }

  async openWriter(options: { readonly waitMs: number } & AbortOptions): Promise<DocumentWriter> {
    if (this.#database.readonly)
      throw new KebabError('readonly_mode', `${this.location} was opened for reading`, {
        details: { command: 'write' },
      });
    const { lockWriter } = await import('../locking/writer-lock.ts');
    const { PostgresDocumentWriter } = await import('./document-writer.ts');
    const writer = new PostgresDocumentWriter(this.#database, await lockWriter(this.#database, options), this.#words);
    this.#writer = writer;
    try {
      await writer.refreshWords();
    } catch (error) {
      await writer.close();
      throw error;
    }
    return writer;
  }

  async close(): Promise<void> {
    await this.#writer?.close();
    await this.#database.close();
  }

  #statement<T>(query: (db: Db) => Promise<T>): Promise<T> {
    return this.#database.reads.statement(query);
  }

  #read<T>(query: (tx: Db) => Promise<T>): Promise<T> {
    return this.#database.reads.read(query);
  }
}
