import type { DerivationKind, DerivationRecords } from '@kebab/core/store';
import { asPromise, columnsOf, inList, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build, columnsIn, type NewRow } from '../database/tables.ts';
import type { SharedEmbeddings } from './shared-embeddings.ts';

/**
 * Derived bytes in the documents' database; `change` runs a change in one transaction. Embeddings go to the cache shared by all knowledge
 * bases of the user, and are stored here only if that is not possible.
 */
export class SqliteDerivationRecords implements DerivationRecords {
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #change: <T>(change: () => T) => Promise<T>;
  readonly #shared: SharedEmbeddings | null;

  constructor(db: Connection, change: <T>(change: () => T) => Promise<T>, shared: SharedEmbeddings | null) {
    this.#statements = statementsOn(db, statementsOf);
    this.#change = change;
    this.#shared = shared;
  }

  get(kind: DerivationKind, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return asPromise(() => {
      const payloads = new Map<string, Uint8Array>();
      for (const key of keys) {
        const shared = kind === 'embedding' ? this.#shared?.get(key) : undefined;
        const payload = shared ?? this.#statements.find.first({ cache_key: key, kind })?.payload;
        if (payload !== undefined) payloads.set(key, payload);
      }
      return payloads;
    });
  }

  async set(
    kind: DerivationKind,
    entries: readonly { readonly key: string; readonly payload: Uint8Array }[],
    at: Date,
  ): Promise<void> {
    if (kind === 'embedding' && this.#shared?.set(entries, at) === true) return;
    const time = at.toISOString();
    await this.#change(() => {
      for (const { key, payload } of entries)
        this.#statements.put.run({ cache_key: key, kind, payload, created_at: time, last_used_at: time });
    });
  }

  async touch(keys: readonly string[], at: Date): Promise<void> {
    if (keys.length === 0) return;
    this.#shared?.touch(keys, at);
    await this.#change(() =>
      this.#statements.touch.run({ last_used_at: at.toISOString(), cache_keys: JSON.stringify(keys) }),
    );
  }

  async sweep(before: Date): Promise<number> {
    this.#shared?.sweep(before);
    return this.#change(() => this.#statements.sweep.run({ before: before.toISOString() }).changes);
  }
}

function statementsOf(db: Connection) {
  return {
    find: statement(db, (value: Placeholder<{ readonly cache_key: string; readonly kind: DerivationKind }>) =>
      build
        .selectFrom('derivation_cache')
        .select('payload')
        .where('cache_key', '=', value('cache_key'))
        .where('kind', '=', value('kind')),
    ),
    put: statement(db, (value: Placeholder<NewRow<'derivation_cache'>>) =>
      build
        .insertInto('derivation_cache')
        .values(columnsOf(value, columnsIn('derivation_cache')))
        .onConflict((conflict) =>
          conflict.column('cache_key').doUpdateSet((row) => ({
            payload: row.ref('excluded.payload'),
            last_used_at: row.ref('excluded.last_used_at'),
          })),
        ),
    ),
    touch: statement(db, (value: Placeholder<{ readonly last_used_at: string; readonly cache_keys: string }>) =>
      build
        .updateTable('derivation_cache')
        .set({ last_used_at: value('last_used_at') })
        .where('cache_key', 'in', inList(value('cache_keys'))),
    ),
    sweep: statement(db, (value: Placeholder<{ readonly before: string }>) =>
      build.deleteFrom('derivation_cache').where('last_used_at', '<', value('before')),
    ),
  };
}
