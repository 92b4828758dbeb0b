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
import { Statements } from '../database/statements.ts';
import { storeFailure } from '../database/store-failure.ts';
import { compileFilters } from '../filter-sql.ts';
import { SqliteAnswerLog } from '../answers/sqlite-answer-log.ts';
import { SqliteEvalLog } from '../eval/sqlite-eval-log.ts';
import { SqliteVectorLedger } from '../vectors/sqlite-vector-ledger.ts';
import { readCanonicalDocument } from './canonical-document.ts';
import { checkIntegrity } from './check-integrity.ts';
import { DocumentReader } from './document-reader.ts';
import {
  SELECT_DOCUMENTS,
  SELECT_KNOWN,
  toDocumentRow,
  toKnownDocument,
  type StoredDocument,
  type StoredKnown,
} from './document-row.ts';
import { readQuarantine } from './quarantine.ts';
import { readStats } from './store-stats.ts';

/** How a store stands in its surroundings. */
export interface DocumentStoreOptions {
  /** Where the data lies, for messages. */
  readonly location: string;
  /** The file that the one writer holds; null for a database that no other process can see. */
  readonly lockFile: string | null;
}

const ID_LENGTH = 32;

/** Every source there is, found by one index search each. */
const SOURCES = `WITH RECURSIVE sources(id) AS (
  SELECT min(source_id) FROM documents
  UNION ALL SELECT (SELECT min(source_id) FROM documents WHERE source_id > sources.id) FROM sources WHERE id IS NOT NULL)`;

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
    return this.#read(() =>
      Number(this.#statements.firstColumnOf("SELECT value FROM kv WHERE key = 'corpus_revision'").get()),
    );
  }

  documentCount(): number {
    return this.#read(() => Number(this.#statements.firstColumnOf('SELECT count(*) FROM documents').get()));
  }

  getDocument(id: DocumentId): DocumentRow | null {
    return this.#documents('WHERE d.doc_id = ?', [id])[0] ?? null;
  }

  findDocument(sourceId: string, workspacePath: string): DocumentRow | null {
    return this.#documents('WHERE d.source_id = ? AND d.workspace_path = ?', [sourceId, workspacePath])[0] ?? null;
  }

  findByPath(workspacePath: string): readonly DocumentRow[] {
    return this.knownSources().flatMap((sourceId) => this.findDocument(sourceId, workspacePath) ?? []);
  }

  findIds(kind: 'document' | 'chunk', prefix: string, limit: number): readonly string[] {
    const sql =
      kind === 'document'
        ? 'SELECT doc_id FROM documents WHERE doc_id BETWEEN ? AND ? ORDER BY doc_id LIMIT ?'
        : 'SELECT chunk_id FROM chunks WHERE chunk_key BETWEEN unhex(?) AND unhex(?) ORDER BY chunk_key LIMIT ?';
    const bounds = [prefix.padEnd(ID_LENGTH, '0'), prefix.padEnd(ID_LENGTH, 'f')];
    return this.#read(() => this.#statements.firstColumnOf(sql).all(...bounds, limit) as readonly string[]);
  }

  readText(id: DocumentId, start = 0, end = Infinity): string {
    return this.#read((reader) => {
      const sql = 'SELECT seq, text_length FROM documents WHERE doc_id = ?';
      const row = this.#statements.of(sql).get(id) as
        | { readonly seq: number; readonly text_length: number }
        | undefined;
      if (row === undefined)
        throw new KebabError('doc_not_found', `there is no document ${id}`, { details: { doc_id: id, path: null } });
      return reader.text(row.seq, Math.max(0, start), Math.min(row.text_length, end));
    });
  }

  getBlocks(id: DocumentId): readonly Block[] {
    return this.#read((reader) => {
      const seq = reader.seqOf(id);
      return seq === undefined ? [] : reader.blocks(seq, id);
    });
  }

  getCanonicalDocument(id: DocumentId): CanonicalDocument | null {
    return this.#read((reader) => readCanonicalDocument(this.#statements, reader, id));
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
    const { sql, parameters } = compileFilters(filters);
    return this.#read(() => {
      const rows = this.#statements
        .of(`${SELECT_DOCUMENTS} WHERE ${sql} ORDER BY d.source_id, d.workspace_path LIMIT ? OFFSET ?`)
        .all(...parameters, limit, offset) as readonly StoredDocument[];
      const total = this.#statements.firstColumnOf(`SELECT count(*) FROM documents d WHERE ${sql}`).get(...parameters);
      return { documents: rows.map(toDocumentRow), total: Number(total) };
    });
  }

  documentIds(filters: SearchFilters): ReadonlySet<DocumentId> {
    const { sql, parameters } = compileFilters(filters);
    const statement = `SELECT d.doc_id FROM documents d WHERE ${sql}`;
    return this.#read(
      () => new Set(this.#statements.firstColumnOf(statement).all(...parameters) as readonly DocumentId[]),
    );
  }

  knownDocuments(sourceId: string): ReadonlyMap<string, KnownDocument> {
    return this.#read(() => {
      const rows = this.#db.prepare(SELECT_KNOWN).raw().all(sourceId) as readonly StoredKnown[];
      return new Map(rows.map((row) => [row[1], toKnownDocument(row)]));
    });
  }

  knownSources(): readonly string[] {
    const sql = `${SOURCES} SELECT id FROM sources WHERE id IS NOT NULL`;
    return this.#read(() => this.#statements.firstColumnOf(sql).all() as readonly string[]);
  }

  quarantined(): readonly QuarantinedFile[] {
    return this.#read(() => readQuarantine(this.#statements));
  }

  stats(): StoreStats {
    return this.#read(() => readStats(this.#db, this.#statements));
  }

  checkIntegrity(): readonly string[] {
    try {
      return checkIntegrity(this.#db);
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

  #documents(where: string, parameters: readonly string[]): readonly DocumentRow[] {
    return this.#read(() => {
      const rows = this.#statements.of(`${SELECT_DOCUMENTS} ${where}`).all(...parameters) as readonly StoredDocument[];
      return rows.map(toDocumentRow);
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
