import type { DerivationKind, DerivationRecords } from '@kebab/core';
import type { Statements } from '../database/statements.ts';

const SET = `INSERT INTO derivation_cache (cache_key, kind, payload, created_at, last_used_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (cache_key) DO UPDATE SET last_used_at = excluded.last_used_at`;

/** Derived bytes in the database of the documents; `change` runs a change in one transaction. */
export class SqliteDerivationRecords implements DerivationRecords {
  readonly #statements: Statements;
  readonly #change: <T>(change: () => T) => T;

  constructor(statements: Statements, change: <T>(change: () => T) => T) {
    this.#statements = statements;
    this.#change = change;
  }

  get(kind: DerivationKind, key: string): Uint8Array | undefined {
    const sql = 'SELECT payload FROM derivation_cache WHERE cache_key = ? AND kind = ?';
    return this.#statements.firstColumnOf(sql).get(key, kind) as Uint8Array | undefined;
  }

  set(
    kind: DerivationKind,
    entries: readonly { readonly key: string; readonly payload: Uint8Array }[],
    at: Date,
  ): void {
    const insert = this.#statements.of(SET);
    const time = at.toISOString();
    this.#change(() => {
      for (const { key, payload } of entries) insert.run(key, kind, payload, time, time);
    });
  }

  touch(keys: readonly string[], at: Date): void {
    const sql = 'UPDATE derivation_cache SET last_used_at = ? WHERE cache_key IN (SELECT value FROM json_each(?))';
    if (keys.length > 0) this.#change(() => this.#statements.of(sql).run(at.toISOString(), JSON.stringify(keys)));
  }

  sweep(before: Date): number {
    const sql = 'DELETE FROM derivation_cache WHERE last_used_at < ?';
    return this.#change(() => this.#statements.of(sql).run(before.toISOString()).changes);
  }
}
