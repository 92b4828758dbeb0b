import type { PostgresConfig } from '../postgres-config.ts';
import {
  connecting,
  openConnection,
  openPool,
  type Address,
  type Connecting,
  type OwnConnection,
} from './connection.ts';
import { checkVersion, migrate, postgresMigrations, readSchemaVersion } from './migrate.ts';
import { isLostConnection } from './lost-connection.ts';
import { postgresFailure } from './postgres-failure.ts';
import { factOf } from './facts.ts';
import { ReplicaReads, type Reads } from './replica-reads.ts';
import type { Db } from './tables.ts';

/**
 * The database of a knowledge base on a server. Every read of one call runs on one snapshot; errors are those of
 * {@link postgresFailure}.
 */
export class PostgresDatabase implements Reads {
  readonly address: Address;
  readonly readonly: boolean;
  readonly jobLeaseS: number;
  readonly target: Connecting;
  /** Reads of documents and words: from a replica, if there is one and it is up to date. */
  readonly reads: Reads;
  readonly #pool: Db;
  readonly #replica: Db | null;
  #seenRevision = 0;

  private constructor(
    target: Connecting,
    { pool, replica }: { readonly pool: Db; readonly replica: Db | null },
    { readonly, jobLeaseS }: PostgresConfig,
  ) {
    this.address = target.address;
    this.readonly = readonly;
    this.jobLeaseS = jobLeaseS;
    this.target = target;
    this.#pool = pool;
    this.#replica = replica;
    this.reads =
      replica === null ? this : new ReplicaReads(replica, { primary: this, seenRevision: () => this.#seenRevision });
  }

  /**
   * Connects to the server. For writing, tables are made if there are none, and migrated to the newest version. Throws `not_indexed` if
   * there are none to read or they have a different version, `config_invalid` without a URL, `io_error` if the server cannot be used.
   */
  static async open(config: PostgresConfig, now: () => Date): Promise<PostgresDatabase> {
    const target = connecting(config, config.url);
    const { readUrl, poolSize } = config;
    const replica = readUrl === '' || !config.readonly ? null : connecting(config, readUrl, 'read_url');
    const pools = {
      pool: await openPool(target, poolSize),
      replica: replica === null ? null : await openPool(replica, poolSize),
    };
    const database = new PostgresDatabase(target, pools, config);
    try {
      if (config.readonly) checkVersion(await database.statement(readSchemaVersion), target);
      else await database.#migrate(now);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  async #migrate(now: () => Date): Promise<void> {
    const own = await this.connect();
    try {
      await this.guard(() => migrate(own, { target: this.target, migrations: postgresMigrations(), now }));
    } finally {
      await own.close();
    }
  }

  /** Runs several statements on one snapshot, which sees committed rows only. */
  read<T>(query: (tx: Db) => Promise<T>): Promise<T> {
    return this.#twice(() =>
      this.#pool.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(query),
    );
  }

  /** Runs one statement that reads, which is a snapshot of its own. */
  statement<T>(query: (db: Db) => Promise<T>): Promise<T> {
    return this.#twice(() => query(this.#pool));
  }

  /** The revision of the primary; from now on, no read is older. */
  async revision(): Promise<number> {
    const revision = Number((await this.statement((db) => factOf(db, 'corpus_revision'))) ?? 0);
    this.#seenRevision = Math.max(this.#seenRevision, revision);
    return revision;
  }

  /** Makes a change in one transaction that needs no lock. It is not tried again. */
  change<T>(change: (tx: Db) => Promise<T>): Promise<T> {
    return this.guard(() => this.#pool.transaction().execute(change));
  }

  /** A connection of its own. */
  connect(): Promise<OwnConnection> {
    return this.guard(() => openConnection(this.target));
  }

  /** Runs something whose errors become those of {@link postgresFailure}. */
  async guard<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw postgresFailure(error, this.address) satisfies unknown;
    }
  }

  async close(): Promise<void> {
    await this.#replica?.destroy();
    await this.#pool.destroy();
  }

  /** A connection of the pool may have been lost since it was last used: such a read is tried once more. */
  #twice<T>(query: () => Promise<T>): Promise<T> {
    return this.guard(async () => {
      try {
        return await query();
      } catch (error) {
        if (!isLostConnection(error)) throw error;
        return query();
      }
    });
  }
}
