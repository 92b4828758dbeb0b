import {
  KebabError,
  type AbortOptions,
  type Block,
  type CanonicalDocument,
  type Chunk,
  type ChunkId,
  type ChunkWithDocument,
  type DocumentId,
  type DocumentPage,
  type DocumentRow,
  type DocumentStore,
  type DocumentWriter,
  type KnownDocument,
  type Passage,
  type QuarantinedFile,
  type SearchFilters,
  type StoreStats,
} from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { readSchemaVersion } from '../database/schema-version.ts';
import { Statements, rowsOf, valuesOf, type RowQuery, type Values } from '../database/statements.ts';
import { storeFailure } from '../database/store-failure.ts';
import type { Row } from '../database/tables.ts';
import { compileFilters } from '../filter-sql.ts';
import { SqliteAnswerLog } from '../logs/sqlite-answer-log.ts';
import { SqliteEvalLog } from '../logs/sqlite-eval-log.ts';
import { SqliteVectorLedger } from '../vectors/sqlite-vector-ledger.ts';
import { DocumentReader } from './document-reader.ts';
import {
  KNOWN_DOCUMENTS,
  documentsWhere,
  toDocumentRow,
  toKnownDocument,
  type StoredDocument,
} from './document-row.ts';
import { checkIntegrity, readQuarantine, readStats } from './inspect-database.ts';
import { readText } from './text-segments.ts';

/** How a store stands in its surroundings. */
export interface DocumentStoreOptions {
  /** Where the data lies, for messages. */
  readonly location: string;
  /** The file that the one writer holds; null for a database that no other process can see. */
  readonly lockFile: string | null;
}

const ID_LENGTH = 32;

const CORPUS_REVISION = valuesOf<string>("SELECT value FROM kv WHERE key = 'corpus_revision'");
const DOCUMENT_COUNT = valuesOf<number>('SELECT count(*) FROM documents');
const DOCUMENT = documentsWhere('d.doc_id = @doc_id');
const DOCUMENT_AT = documentsWhere('d.source_id = @source_id AND d.workspace_path = @workspace_path');
const DOCUMENT_IDS = valuesOf<string>(
  'SELECT doc_id FROM documents WHERE doc_id BETWEEN @first AND @last ORDER BY doc_id LIMIT @limit',
);
const CHUNK_IDS = valuesOf<string>(
  'SELECT chunk_id FROM chunks WHERE chunk_key BETWEEN unhex(@first) AND unhex(@last) ORDER BY chunk_key LIMIT @limit',
);
const TEXT_OF = rowsOf<Pick<Row<'documents'>, 'seq' | 'text_length'>>(
  'SELECT seq, text_length FROM documents WHERE doc_id = @doc_id',
);
/** Every source there is, found by one index search each. */
const SOURCES = valuesOf<string>(`WITH RECURSIVE sources(id) AS (
    SELECT min(source_id) FROM documents
    UNION ALL SELECT (SELECT min(source_id) FROM documents WHERE source_id > sources.id) FROM sources WHERE id IS NOT NULL)
  SELECT id FROM sources WHERE id IS NOT NULL`);

/**
 * Documents in a SQLite database with the newest schema, through a connection that the store closes in the end. Each method
 * reads one snapshot, and inside a transaction of this connection's writer what that has written so far.
 */
export class SqliteDocumentStore implements DocumentStore {
  readonly location: string;
  readonly schemaVersion: number;
  readonly vectors: SqliteVectorLedger;
  readonly answers: SqliteAnswerLog;
  readonly evals: SqliteEvalLog;
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #lockFile: string | null;
  #writer: DocumentWriter | null = null;
  #isLocked = false;

  constructor(db: Connection, options: DocumentStoreOptions) {
    this.#db = db;
    this.#statements = new Statements(db);
    this.location = options.location;
    this.#lockFile = options.lockFile;
    this.schemaVersion = readSchemaVersion(db) ?? 0;
    this.vectors = new SqliteVectorLedger(this.#statements, (query) => this.#read(query));
    this.answers = new SqliteAnswerLog(this.#statements, options.location);
    this.evals = new SqliteEvalLog({ db, statements: this.#statements, location: options.location });
  }

  corpusRevision(): number {
    return this.#read(() => Number(this.#statements.value(CORPUS_REVISION)));
  }

  documentCount(): number {
    return this.#read(() => this.#statements.value(DOCUMENT_COUNT) ?? 0);
  }

  getDocument(id: DocumentId): DocumentRow | null {
    return this.#document(DOCUMENT, { doc_id: id });
  }

  findDocument(sourceId: string, workspacePath: string): DocumentRow | null {
    return this.#document(DOCUMENT_AT, { source_id: sourceId, workspace_path: workspacePath });
  }

  findByPath(workspacePath: string): readonly DocumentRow[] {
    return this.knownSources().flatMap((sourceId) => this.findDocument(sourceId, workspacePath) ?? []);
  }

  findIds(kind: 'document' | 'chunk', prefix: string, limit: number): readonly string[] {
    return this.#read(() =>
      this.#statements.values(kind === 'document' ? DOCUMENT_IDS : CHUNK_IDS, {
        first: prefix.padEnd(ID_LENGTH, '0'),
        last: prefix.padEnd(ID_LENGTH, 'f'),
        limit,
      }),
    );
  }

  readText(id: DocumentId, start = 0, end = Infinity): string {
    return this.#read(() => {
      const row = this.#statements.first(TEXT_OF, { doc_id: id });
      if (row === undefined)
        throw new KebabError('doc_not_found', `there is no document ${id}`, { details: { doc_id: id, path: null } });
      return readText(this.#statements, row.seq, Math.max(0, start), Math.min(row.text_length, end));
    });
  }

  getBlocks(id: DocumentId): readonly Block[] {
    return this.#read((reader) => {
      const row = this.#statements.first(TEXT_OF, { doc_id: id });
      return row === undefined ? [] : reader.blocks(row.seq, id);
    });
  }

  getCanonicalDocument(id: DocumentId): CanonicalDocument | null {
    return this.#read((reader) => reader.canonicalDocument(id));
  }

  getChunk(id: ChunkId): ChunkWithDocument | null {
    return this.#read((reader) => reader.chunk(id));
  }

  getChunks(ids: readonly ChunkId[]): readonly ChunkWithDocument[] {
    return this.#read((reader) => ids.flatMap((id) => reader.chunk(id) ?? []));
  }

  getPassages(ids: readonly ChunkId[]): readonly Passage[] {
    return this.#read((reader) => reader.passages(ids));
  }

  listChunks(id: DocumentId, from = 0, to: number = Number.MAX_SAFE_INTEGER): readonly Chunk[] {
    return this.#read((reader) => reader.chunks(id, from, to));
  }

  listDocuments(
    filters: SearchFilters,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): DocumentPage {
    const { condition, values: given } = compileFilters(filters);
    const page = documentsWhere(`${condition} ORDER BY d.source_id, d.workspace_path LIMIT @limit OFFSET @offset`);
    const count = valuesOf<number>(`SELECT count(*) FROM documents d WHERE ${condition}`);
    return this.#read(() => ({
      documents: this.#statements.all(page, { ...given, limit, offset }).map(toDocumentRow),
      total: this.#statements.value(count, given) ?? 0,
    }));
  }

  documentIds(filters: SearchFilters): ReadonlySet<DocumentId> {
    const { condition, values: given } = compileFilters(filters);
    const ids = valuesOf<DocumentId>(`SELECT d.doc_id FROM documents d WHERE ${condition}`);
    return this.#read(() => new Set(this.#statements.values(ids, given)));
  }

  knownDocuments(sourceId: string): ReadonlyMap<string, KnownDocument> {
    return this.#read(() => {
      const known = this.#statements.all(KNOWN_DOCUMENTS, { source_id: sourceId });
      return new Map(known.map((row) => [row.workspace_path, toKnownDocument(row)]));
    });
  }

  knownSources(): readonly string[] {
    return this.#read(() => this.#statements.values(SOURCES));
  }

  quarantined(): readonly QuarantinedFile[] {
    return this.#read(() => readQuarantine(this.#statements));
  }

  stats(): StoreStats {
    return this.#read(() => readStats(this.#db, this.#statements));
  }

  checkIntegrity(): readonly string[] {
    try {
      return checkIntegrity(this.#db, this.#statements);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  async openWriter(options: { readonly waitMs: number } & AbortOptions): Promise<DocumentWriter> {
    if (this.#db.readonly)
      throw new KebabError('readonly_mode', `${this.location} was opened for reading`, {
        details: { command: 'write' },
      });
    const { WriterLock } = await import('../locking/writer-lock.ts');
    const { SqliteDocumentWriter } = await import('./document-writer.ts');
    const lock = await WriterLock.acquire({
      ...options,
      path: this.#lockFile,
      location: this.location,
      isHeldHere: () => this.#isLocked,
      exclusively: (take) =>
        this.#guard(() => {
          this.#isLocked = this.#db.transaction(take).immediate();
          return this.#isLocked;
        }),
    });
    const onClose = (): void => {
      this.#writer = null;
      this.#isLocked = false;
      lock.release();
    };
    try {
      this.#writer = this.#guard(() => new SqliteDocumentWriter(this.#db, { location: this.location, onClose }));
      return this.#writer;
    } catch (error) {
      onClose();
      throw error;
    }
  }

  close(): void {
    this.#writer?.close();
    this.#db.close();
  }

  #document(query: RowQuery<StoredDocument>, given: Values): DocumentRow | null {
    return this.#read(() => {
      const row = this.#statements.first(query, given);
      return row === undefined ? null : toDocumentRow(row);
    });
  }

  /** Runs queries on one snapshot. */
  #read<T>(query: (reader: DocumentReader) => T): T {
    return this.#guard(() => {
      const reader = new DocumentReader(this.#statements);
      return this.#db.inTransaction ? query(reader) : this.#db.transaction(() => query(reader)).deferred();
    });
  }

  #guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw storeFailure(error, this.location) satisfies unknown;
    }
  }
}
