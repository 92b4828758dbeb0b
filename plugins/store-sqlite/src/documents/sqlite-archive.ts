import { invalidInput, type DocumentId } from '@kebab/core';
import type {
  AnswerRow,
  ArchivePage,
  CommittedDocument,
  DerivationEntry,
  EvalRunRow,
  IngestRunRow,
  StoreArchive,
  VectorNote,
} from '@kebab/core/store';
import { inList, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import {
  ARRIVING,
  VECTOR_NOTE_COLUMNS,
  toCommittedDocument,
  toDerivation,
  toDocumentRow,
  toIngestRun,
} from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build, factStatements, ROW_ID } from '../database/tables.ts';
import type { SqliteAnswerLog, SqliteEvalLog } from '../logs/sqlite-logs.ts';
import type { DocumentReader } from './document-reader.ts';
import { STORED_DOCUMENTS } from './store-statements.ts';

/** What an archive needs of its store. */
export interface SqliteArchiveInit {
  /** Runs queries on one snapshot. */
  readonly read: <T>(query: (reader: DocumentReader) => T) => Promise<T>;
  readonly answers: SqliteAnswerLog;
  readonly evals: SqliteEvalLog;
  readonly location: string;
}

/** Reads a database as it was written, and gives it the identity of a knowledge base that is moved into it. */
export class SqliteArchive implements StoreArchive {
  readonly #db: Connection;
  readonly #init: SqliteArchiveInit;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(db: Connection, init: SqliteArchiveInit) {
    this.#db = db;
    this.#init = init;
    this.#statements = statementsOn(db, statementsOf);
  }

  documents(ids: readonly DocumentId[]): Promise<readonly CommittedDocument[]> {
    return this.#init.read((reader) => ids.flatMap((id) => this.#document(id, reader) ?? []));
  }

  notes(ids: readonly string[]): Promise<readonly VectorNote[]> {
    return this.#init.read(() => this.#statements.notes.all({ ids: JSON.stringify(ids) }) as readonly VectorNote[]);
  }

  runs(): Promise<readonly IngestRunRow[]> {
    return this.#init.read(() => this.#statements.runs.all({}).map(toIngestRun));
  }

  answers(page: ArchivePage): Promise<readonly AnswerRow[]> {
    return this.#init.answers.recorded(page);
  }

  evals(page: ArchivePage): Promise<readonly EvalRunRow[]> {
    return this.#init.evals.recorded(page);
  }

  derivations(page: { readonly after: string; readonly limit: number }): Promise<readonly DerivationEntry[]> {
    return this.#init.read(() => this.#statements.derivations.all(page).map(toDerivation));
  }

  arriving(): Promise<string | null> {
    return this.#init.read(() => this.#statements.fact.first({ key: ARRIVING })?.value ?? null);
  }

  async beginMove(knowledgeBase: string): Promise<void> {
    this.#db
      .transaction(() => {
        const { fact, documents, setFact } = this.#statements;
        const arriving = fact.first({ key: ARRIVING })?.value;
        if (arriving !== knowledgeBase && documents.first({}) !== undefined)
          throw invalidInput(`${this.#init.location} already holds documents`, {
            field: '--to',
            value: this.#init.location,
          });
        setFact.run({ key: ARRIVING, value: knowledgeBase });
        setFact.run({ key: 'knowledge_base', value: knowledgeBase });
      })
      .immediate();
  }

  async endMove(): Promise<void> {
    this.#statements.forgetFact.run({ key: ARRIVING });
  }

  #document(id: DocumentId, reader: DocumentReader): CommittedDocument | null {
    const { document: find, asset: findAsset, indexed } = this.#statements;
    const stored = find.first({ doc_id: id });
    const document = reader.canonicalDocument(id);
    const asset = stored === undefined ? undefined : findAsset.first({ asset_id: stored.asset_id });
    if (stored === undefined || document === null || asset === undefined) return null;
    const row = toDocumentRow(stored);
    return toCommittedDocument({
      row,
      document,
      chunks: reader.chunks(id, 0, row.chunkCount),
      indexed: indexed.all({ doc_seq: stored.seq }),
      asset,
    });
  }
}

function statementsOf(db: Connection) {
  return {
    ...factStatements(db),
    forgetFact: statement(db, (value: Placeholder<{ readonly key: string }>) =>
      build.deleteFrom('kv').where('key', '=', value('key')),
    ),
    documents: statement(db, () => build.selectFrom('documents').select('seq').limit(1)),
    document: statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
      STORED_DOCUMENTS.where('d.doc_id', '=', value('doc_id')),
    ),
    indexed: statement(db, (value: Placeholder<{ readonly doc_seq: number }>) =>
      build
        .selectFrom('documents as d')
        .innerJoin('chunks as c', 'c.doc_seq', 'd.seq')
        .select(['c.index_symbol', 'c.index_prefix'])
        .whereRef('c.seq', '>=', 'd.first_chunk')
        .where('c.seq', '<', (eb) => eb('d.first_chunk', '+', eb.ref('d.chunk_count')))
        .where('d.seq', '=', value('doc_seq'))
        .orderBy('c.seq'),
    ),
    asset: statement(db, (value: Placeholder<{ readonly asset_id: string }>) =>
      build.selectFrom('assets').selectAll().where('asset_id', '=', value('asset_id')),
    ),
    notes: statement(db, (value: Placeholder<{ readonly ids: string }>) =>
      build
        .selectFrom('embedding_records')
        .select(VECTOR_NOTE_COLUMNS)
        .where('embedding_id', 'in', inList(value('ids')))
        .orderBy('embedding_id'),
    ),
    runs: statement(db, () => build.selectFrom('ingest_runs').selectAll().orderBy(ROW_ID)),
    derivations: statement(db, (value: Placeholder<{ readonly after: string; readonly limit: number }>) =>
      build
        .selectFrom('derivation_cache')
        .select(['kind', 'cache_key', 'payload', 'last_used_at'])
        .where('kind', '<>', 'embedding')
        .where('cache_key', '>', value('after'))
        .orderBy('cache_key')
        .limit(value('limit'))
        .$narrowType<{ readonly kind: DerivationEntry['kind'] }>(),
    ),
  };
}
