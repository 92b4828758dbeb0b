import { factOf } from './facts.ts';
import type { Db } from './tables.ts';

/** Reads of committed rows. */
export interface Reads {
  /** Runs several statements on one snapshot, which sees committed rows only. */
  read<T>(query: (tx: Db) => Promise<T>): Promise<T>;
  /** Runs one statement that reads, which is a snapshot of its own. */
  statement<T>(query: (db: Db) => Promise<T>): Promise<T>;
}

/** For so long a replica that could not be used is left alone. */
const REST_MS = 10_000;

/**
 * Reads from a replica as long as it is at least as new as the revision that this process has seen; everything else, and whatever fails
 * there, is read from the primary.
 */
export class ReplicaReads implements Reads {
  readonly #replica: Db;
  readonly #primary: Reads;
  readonly #seenRevision: () => number;
  #restsUntil = 0;

  constructor(
    replica: Db,
    { primary, seenRevision }: { readonly primary: Reads; readonly seenRevision: () => number },
  ) {
    this.#replica = replica;
    this.#primary = primary;
    this.#seenRevision = seenRevision;
  }

  async read<T>(query: (tx: Db) => Promise<T>): Promise<T> {
    const answer = performance.now() < this.#restsUntil ? null : await this.#answer(query);
    return answer === null ? this.#primary.read(query) : answer.result;
  }

  statement<T>(query: (db: Db) => Promise<T>): Promise<T> {
    return this.read(query);
  }

  /** Null if the replica cannot answer. */
  async #answer<T>(query: (tx: Db) => Promise<T>): Promise<{ readonly result: T } | null> {
    try {
      const snapshot = this.#replica.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
      return await snapshot.execute(async (tx) => {
        const revision = Number((await factOf(tx, 'corpus_revision')) ?? -1);
        return revision < this.#seenRevision() ? null : { result: await query(tx) };
      });
    } catch {
      this.#restsUntil = performance.now() + REST_MS;
      return null; // the primary says what is wrong, if it is not the replica
    }
  }
}
