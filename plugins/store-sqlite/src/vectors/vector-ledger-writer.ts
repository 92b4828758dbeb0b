import type { DocumentId, EmbeddingId, VectorLedgerWriter, VectorNote } from '@kebab/core';
import type { Statements } from '../database/statements.ts';

const BEGIN = `INSERT INTO embedding_records
    (embedding_id, chunk_id, model_id, model_version, dimensions, fingerprint, store, collection, status, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?)
  ON CONFLICT DO UPDATE
  SET fingerprint = excluded.fingerprint, store = excluded.store, collection = excluded.collection,
      status = 'pending', committed_at = NULL`;
const COMMIT = `UPDATE embedding_records SET status = 'committed', committed_at = ?
  WHERE status = 'pending' AND embedding_id IN (SELECT value FROM json_each(?))`;
const WHOLE = 'UPDATE documents SET embedding_fingerprint = ? WHERE doc_id IN (SELECT value FROM json_each(?))';
const REVISION = "UPDATE kv SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT) WHERE key = 'corpus_revision'";
const NOT_WHOLE = `UPDATE documents SET embedding_fingerprint = NULL WHERE seq IN (
    SELECT c.doc_seq FROM embedding_records e JOIN chunks c ON c.chunk_key = unhex(e.chunk_id)
    WHERE e.embedding_id IN (SELECT value FROM json_each(?)))`;
const DOUBT = `UPDATE embedding_records SET status = 'pending', committed_at = NULL
  WHERE status = 'committed' AND embedding_id IN (SELECT value FROM json_each(?))`;
const NO_LONGER_WHOLE = `UPDATE documents SET embedding_fingerprint = NULL WHERE embedding_fingerprint IN (
    SELECT fingerprint FROM embedding_records WHERE collection = ?)`;
const FORGET_COLLECTION = 'DELETE FROM embedding_records WHERE collection = ?';

/** Changes what the database knows of vectors; `change` runs a change in one transaction. */
export class SqliteVectorLedgerWriter implements VectorLedgerWriter {
  readonly #statements: Statements;
  readonly #change: <T>(change: () => T) => T;

  constructor(statements: Statements, change: <T>(change: () => T) => T) {
    this.#statements = statements;
    this.#change = change;
  }

  begin(notes: readonly VectorNote[], at: Date): void {
    const insert = this.#statements.of(BEGIN);
    const time = at.toISOString();
    this.#change(() => {
      for (const note of notes)
        insert.run(
          ...[note.embeddingId, note.chunkId, note.modelId, note.modelVersion, note.dimensions],
          ...[note.fingerprint, note.store, note.collection, time],
        );
    });
  }

  commit({ embeddingIds, documents, fingerprint, at }: Parameters<VectorLedgerWriter['commit']>[0]): void {
    this.#change(() => {
      const { changes } = this.#statements.of(COMMIT).run(at.toISOString(), JSON.stringify(embeddingIds));
      this.#markWhole(documents, fingerprint);
      if (changes > 0) this.#statements.of(REVISION).run();
    });
  }

  doubt(embeddingIds: readonly EmbeddingId[]): void {
    const ids = JSON.stringify(embeddingIds);
    this.#change(() => {
      this.#statements.of(NOT_WHOLE).run(ids);
      this.#statements.of(DOUBT).run(ids);
      this.#statements.of(REVISION).run();
    });
  }

  forget(embeddingIds: readonly EmbeddingId[]): void {
    const sql = 'DELETE FROM embedding_records WHERE embedding_id IN (SELECT value FROM json_each(?))';
    this.#change(() => this.#statements.of(sql).run(JSON.stringify(embeddingIds)));
  }

  forgetCollection(collection: string): number {
    return this.#change(() => {
      this.#statements.of(NO_LONGER_WHOLE).run(collection);
      const { changes } = this.#statements.of(FORGET_COLLECTION).run(collection);
      this.#statements.of(REVISION).run();
      return changes;
    });
  }

  #markWhole(documents: readonly DocumentId[], fingerprint: string): void {
    if (documents.length > 0) this.#statements.of(WHOLE).run(fingerprint, JSON.stringify(documents));
  }
}
