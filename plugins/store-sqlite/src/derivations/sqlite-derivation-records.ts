import type { DerivationKind, DerivationRecords } from '@kebab/core/store';
import { SqlDerivationRecords, type Change, type Engine } from '@kebab/store-kit';
import type { SharedEmbeddings } from './shared-embeddings.ts';

/**
 * Derived bytes in the documents' database. Embeddings go to the cache shared by all knowledge bases of the user, and are stored here only if
 * that is not possible.
 */
export class SqliteDerivationRecords implements DerivationRecords {
  readonly #own: SqlDerivationRecords;
  readonly #shared: SharedEmbeddings | null;

  constructor(engine: Engine, change: Change, shared: SharedEmbeddings | null) {
    this.#own = new SqlDerivationRecords(engine, change);
    this.#shared = shared;
  }

  async get(kind: DerivationKind, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const payloads = new Map<string, Uint8Array>();
    for (const key of kind === 'embedding' ? keys : []) {
      const payload = this.#shared?.get(key);
      if (payload !== undefined) payloads.set(key, payload);
    }
    const missing = keys.filter((key) => !payloads.has(key));
    return missing.length === 0 ? payloads : new Map([...payloads, ...(await this.#own.get(kind, missing))]);
  }

  async set(kind: DerivationKind, entries: Parameters<DerivationRecords['set']>[1], at: Date): Promise<void> {
    if (kind === 'embedding' && this.#shared?.set(entries, at) === true) return;
    await this.#own.set(kind, entries, at);
  }

  async touch(keys: readonly string[], at: Date): Promise<void> {
    this.#shared?.touch(keys, at);
    await this.#own.touch(keys, at);
  }

  async sweep(before: Date): Promise<number> {
    this.#shared?.sweep(before);
    return this.#own.sweep(before);
  }
}
