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
  UNREAD_NOTES,
  type Chunk,
  type ChunkWithDocument,
  type DerivationKind,
  type DocumentPage,
  type DocumentPlace,
  type DocumentRow,
  type DocumentStore,
  type DocumentWrite,
  type DocumentWriter,
  type IndexText,
  type JobRepo,
  type KnownDocument,
  type PartlyRead,
  type Passage,
  type PreparedDocument,
  type QuarantinedFile,
  type SeenPlace,
  type SeenScope,
  type StoreArchive,
  type StoreStats,
  type TextSlice,
} from '@kebab/core/store';
import {
  SqlAnswerLog,
  SqlEvalLog,
  SqlVectorLedger,
  toDocumentRow,
  toKnownDocuments,
  toPartlyRead,
  toQuarantinedFile,
} from '@kebab/store-kit';
import { sql } from 'kysely';
import { listenTo } from '../database/connection.ts';
import { REVISION_CHANNEL } from '../database/corpus-revision.ts';
import { postgresEngine } from '../database/engine.ts';
import { factOf } from '../database/facts.ts';
import { SCHEMA_VERSION } from '../database/migrate.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import type { WordsWriter } from '../words-writer.ts';
import { countOf, isAnyOf } from '../database/query-parts.ts';
import { postgresDocument } from './document-changes.ts';
import { documentFilters } from './document-filters.ts';
import {
  blocksOf,
  canonicalDocument,
  chunksOf,
  chunksWithDocuments,
  knownRows,
  passages,
  readStats,
  storedDocuments,
  textSlices,
} from './document-queries.ts';
import { readSeenPlaces } from './seen-places.ts';

const ID_LENGTH = 32;

/** How long a job waits before its second attempt. */
const RETRY_S = 2;

/** No document has an empty path. */
const START: DocumentPlace = { sourceId: '', workspacePath: '' };

/** Stores documents on a PostgreSQL server. Owns its database, and closes it. Each method reads one snapshot. */
export class PostgresDocumentStore implements DocumentStore {
  readonly location: string;
  readonly schemaVersion = SCHEMA_VERSION;
  readonly vectors: SqlVectorLedger;
  readonly answers: SqlAnswerLog;
  readonly evals: SqlEvalLog;
  readonly #database: PostgresDatabase;
  readonly #words: WordsWriter;
  #writer: DocumentWriter | null = null;

  constructor(database: PostgresDatabase, words: WordsWriter) {
    this.#database = database;
    this.#words = words;
    this.location = database.address.shown;
    const engine = postgresEngine(database);
    this.vectors = new SqlVectorLedger(engine);
    this.answers = new SqlAnswerLog(engine);
    this.evals = new SqlEvalLog(engine);
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

  async knowledgeBase(): Promise<string> {
    return (await this.#statement((db) => factOf(db, 'knowledge_base'))) ?? '';
  }

  async indexedRoots(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#statement((db) =>
      db.selectFrom('indexed_roots').select(['source_id', 'root']).orderBy('source_id').execute(),
    );
    return new Map(rows.map(({ source_id, root }) => [source_id, root]));
  }

  documentCount(): Promise<number> {
    return this.#statement((db) => countOf(db.selectFrom('documents')));
  }

  async getDocuments(ids: readonly DocumentId[]): Promise<readonly DocumentRow[]> {
    const rows = await this.#statement((db) => storedDocuments(db).where(isAnyOf('d.doc_id', ids)).execute());
    const found = new Map(rows.map((row) => [row.doc_id, row]));
    return ids.flatMap((id) => {
      const row = found.get(id);
      return row === undefined ? [] : [toDocumentRow(row)];
    });
  }

  async findDocument(sourceId: string, workspacePath: string): Promise<DocumentRow | null> {
    const row = await this.#statement((db) =>
      storedDocuments(db)
        .where('d.source_id', '=', sourceId)
        .where('d.workspace_path', '=', workspacePath)
        .executeTakeFirst(),
    );
    return row === undefined ? null : toDocumentRow(row);
  }

  async findByPath(workspacePath: string): Promise<readonly DocumentRow[]> {
    const rows = await this.#statement((db) =>
      storedDocuments(db).where('d.workspace_path', '=', workspacePath).orderBy('d.source_id').execute(),
    );
    return rows.map(toDocumentRow);
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

  async derivation(kind: DerivationKind, key: string): Promise<Uint8Array | undefined> {
    const row = await this.#statement((db) =>
      db
        .selectFrom('derivation_cache')
        .select('payload')
        .where('cache_key', '=', key)
        .where('kind', '=', kind)
        .executeTakeFirst(),
    );
    return row?.payload;
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

  listDocuments(
    filters: SearchFilters,
    { offset, limit, newestFirst = false }: Parameters<DocumentStore['listDocuments']>[1],
  ): Promise<DocumentPage> {
    return this.#read(async (tx) => {
      const conditions = await documentFilters(tx, filters);
      const rows = await storedDocuments(tx)
        .where((eb) => eb.and(conditions))
        .$if(newestFirst, (query) => query.orderBy('d.document_date', 'desc'))
        .orderBy('d.source_id')
        .orderBy('d.workspace_path')
        .limit(limit)
        .offset(offset)
        .execute();
      const total = await countOf(tx.selectFrom('documents as d').where((eb) => eb.and(conditions)));
      return { documents: rows.map(toDocumentRow), total };
    });
  }

  async documentsAfter(place: DocumentPlace | null, limit: number): Promise<readonly DocumentRow[]> {
    const { sourceId, workspacePath } = place ?? START;
    const rows = await this.#statement((db) =>
      storedDocuments(db)
        .where((eb) => eb(eb.refTuple('d.source_id', 'd.workspace_path'), '>', eb.tuple(sourceId, workspacePath)))
        .orderBy('d.source_id')
        .orderBy('d.workspace_path')
        .limit(limit)
        .execute(),
    );
    return rows.map(toDocumentRow);
  }

  documentIds(filters: SearchFilters): Promise<ReadonlySet<DocumentId>> {
    return this.#read(async (tx) => {
      const conditions = await documentFilters(tx, filters);
      const rows = await tx
        .selectFrom('documents as d')
        .select('d.doc_id')
        .where((eb) => eb.and(conditions))
        .execute();
      return new Set(rows.map((row) => row.doc_id as DocumentId));
    });
  }

  async knownDocuments(sourceId: string, paths?: readonly string[]): Promise<ReadonlyMap<string, KnownDocument>> {
    return toKnownDocuments(await this.#statement((db) => knownRows(db, sourceId, paths)));
  }

  seenPlaces(sourceId: string, only?: SeenScope): Promise<readonly SeenPlace[]> {
    return this.#statement((db) => readSeenPlaces(db, sourceId, only));
  }

  /** At the cost of one index search each. */
  async knownSources(): Promise<readonly string[]> {
    const { rows } = await this.#statement((db) =>
      sql<{ readonly id: string }>`
        WITH RECURSIVE sources(id) AS (
          SELECT min(source_id) FROM documents
          UNION ALL SELECT (SELECT min(source_id) FROM documents WHERE source_id > sources.id) FROM sources WHERE id IS NOT NULL)
        SELECT id FROM sources WHERE id IS NOT NULL`.execute(db),
    );
    return rows.map(({ id }) => id);
  }

  async quarantined(): Promise<readonly QuarantinedFile[]> {
    const rows = await this.#statement((db) =>
      db.selectFrom('quarantined_files').selectAll().orderBy('source_id').orderBy('workspace_path').execute(),
    );
    return rows.map(toQuarantinedFile);
  }

  async partlyRead(ids?: readonly DocumentId[]): Promise<readonly PartlyRead[]> {
    const rows = await this.#statement((db) =>
      db
        .selectFrom('documents')
        .select(['doc_id', 'source_id', 'workspace_path', 'provenance_json', 'parser_version', 'chunker_version'])
        .where((eb) =>
          eb.or(
            UNREAD_NOTES.map((note) => eb(eb.fn<number>('strpos', ['provenance_json', eb.val(`"${note}`)]), '>', 0)),
          ),
        )
        .$if(ids !== undefined, (query) => query.where(isAnyOf('doc_id', ids ?? [])))
        .orderBy('source_id')
        .orderBy('workspace_path')
        .execute(),
    );
    return toPartlyRead(rows);
  }

  stats(): Promise<StoreStats> {
    return this.#read(readStats);
  }

  async checkIntegrity({ deep = false }: { readonly deep?: boolean | undefined } = {}): Promise<readonly string[]> {
    const { findDamage } = await import('./find-damage.ts');
    try {
      return await this.#read((tx) => findDamage(tx, deep));
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
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
