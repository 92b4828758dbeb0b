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
import {
  ANSWER_COLUMNS,
  ARRIVING,
  VECTOR_NOTE_COLUMNS,
  toAnswer,
  toCommittedDocument,
  toDerivation,
  toDocumentRow,
  toEvalRun,
  toIngestRun,
} from '@kebab/store-kit';
import { isAnyOf } from '../database/query-parts.ts';
import { factOf } from '../database/facts.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { canonicalDocument, chunksOf, storedDocuments } from './document-queries.ts';

/** Reads a knowledge base as it was written, and gives the tables the identity of one that is moved into them. */
export class PostgresArchive implements StoreArchive {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  documents(ids: readonly DocumentId[]): Promise<readonly CommittedDocument[]> {
    return this.#database.read(async (tx) => {
      const found: CommittedDocument[] = [];
      for (const id of ids) found.push(...(await committedDocument(tx, id)));
      return found;
    });
  }

  notes(ids: readonly string[]): Promise<readonly VectorNote[]> {
    return this.#database.statement(
      (db) =>
        db
          .selectFrom('embedding_records')
          .select(VECTOR_NOTE_COLUMNS)
          .where(isAnyOf('embedding_id', ids))
          .orderBy('embedding_id')
          .execute() as Promise<readonly unknown[]> as Promise<readonly VectorNote[]>,
    );
  }

  async runs(): Promise<readonly IngestRunRow[]> {
    const rows = await this.#database.statement((db) =>
      db.selectFrom('ingest_runs').selectAll().orderBy('recorded').execute(),
    );
    return rows.map(toIngestRun);
  }

  async answers({ offset, limit }: ArchivePage): Promise<readonly AnswerRow[]> {
    const rows = await this.#database.statement((db) =>
      db.selectFrom('answers').select(ANSWER_COLUMNS).orderBy('recorded').limit(limit).offset(offset).execute(),
    );
    return rows.map(toAnswer);
  }

  async evals({ offset, limit }: ArchivePage): Promise<readonly EvalRunRow[]> {
    const rows = await this.#database.statement((db) =>
      db.selectFrom('eval_runs').selectAll().orderBy('recorded').limit(limit).offset(offset).execute(),
    );
    return rows.map(toEvalRun);
  }

  async derivations({
    after,
    limit,
  }: {
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly DerivationEntry[]> {
    const rows = await this.#database.statement((db) =>
      db
        .selectFrom('derivation_cache')
        .select(['kind', 'cache_key', 'payload', 'last_used_at'])
        .where('kind', '<>', 'embedding')
        .where('cache_key', '>', after)
        .orderBy('cache_key')
        .limit(limit)
        .execute(),
    );
    return rows.map(toDerivation);
  }

  async arriving(): Promise<string | null> {
    return this.#database.statement(arriving);
  }

  async beginMove(knowledgeBase: string): Promise<void> {
    await this.#database.change(async (tx) => {
      const found = await tx.selectFrom('documents').select('seq').limit(1).executeTakeFirst();
      if (found !== undefined && (await arriving(tx)) !== knowledgeBase) {
        const { shown } = this.#database.address;
        throw invalidInput(`${shown} already holds documents`, { field: '--to', value: shown });
      }
      for (const key of [ARRIVING, 'knowledge_base'])
        await tx
          .insertInto('kv')
          .values({ key, value: knowledgeBase })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: knowledgeBase }))
          .execute();
    });
  }

  async endMove(): Promise<void> {
    await this.#database.change(async (tx) => {
      await tx.deleteFrom('kv').where('key', '=', ARRIVING).execute();
    });
  }
}

async function arriving(db: Db): Promise<string | null> {
  return (await factOf(db, ARRIVING)) ?? null;
}

async function committedDocument(tx: Db, id: DocumentId): Promise<readonly CommittedDocument[]> {
  const stored = await storedDocuments(tx).where('d.doc_id', '=', id).executeTakeFirst();
  const document = await canonicalDocument(tx, id);
  if (stored === undefined || document === null) return [];
  const row = toDocumentRow(stored);
  const asset = await tx
    .selectFrom('assets')
    .selectAll()
    .where('asset_id', '=', stored.asset_id)
    .executeTakeFirstOrThrow();
  const indexed = await tx
    .selectFrom('chunks')
    .select(['index_symbol', 'index_prefix'])
    .where('doc_seq', '=', stored.seq)
    .orderBy('seq')
    .execute();
  return [toCommittedDocument({ row, document, chunks: await chunksOf(tx, id, 0, row.chunkCount), indexed, asset })];
}
