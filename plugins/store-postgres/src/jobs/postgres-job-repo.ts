import { randomUUID } from 'node:crypto';
import { isKebabError, KebabError } from '@kebab/core';
import type { Job, JobCounts, JobRepo, LeasedJob } from '@kebab/core/store';
import { CompiledQuery, sql } from 'kysely';
import type PgBoss from 'pg-boss';
import { isAnyOf } from '../database/query-parts.ts';
import { jobsSchema } from '../database/connection.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';

/** How jobs are tried again. */
export interface JobTimes {
  /** How long a job belongs to a worker of which nothing is heard. */
  readonly leaseS: number;
  /** How long it waits before its second attempt; twice as long before each later one. */
  readonly retryS: number;
}

const QUEUE = 'jobs';
const EXHAUSTED = 'exhausted';
/** How often a job is tried. */
const ATTEMPTS = 5;
/** The longest that pg-boss allows: `job_progress` says which leases have ended. */
const EXPIRY_S = 23 * 60 * 60;

type StoredJob = Pick<Job, 'kind' | 'key' | 'payload' | 'size'> & { readonly id: string };

/**
 * Jobs in tables of pg-boss, in a schema beside that of the knowledge base, which the first job makes. What pg-boss does not know, the table
 * `job_progress` has, and every change of a job is one of both in a transaction.
 */
export class PostgresJobRepo implements JobRepo {
  readonly maxAttempts = ATTEMPTS;
  readonly #database: PostgresDatabase;
  readonly #times: JobTimes;
  #boss: Promise<PgBoss> | undefined;
  /** The jobs taken from the queue of those that failed too often, by their id there. */
  readonly #exhausted = new Map<string, string>();

  constructor(database: PostgresDatabase, times: JobTimes) {
    this.#database = database;
    this.#times = times;
  }

  create(jobs: readonly Job[]): Promise<void> {
    return this.#change(async ({ boss, tx, db }) => {
      for (const { kind, key, payload, size } of jobs) {
        const id = randomUUID();
        const data: StoredJob = { id, kind, key, payload, size };
        const isAdded = await boss.send(QUEUE, data, { id, singletonKey: key, db });
        if (isAdded !== null) await tx.insertInto('job_progress').values({ job_id: id, size }).execute();
      }
    });
  }

  async lease(): Promise<LeasedJob | null> {
    await this.#endLeases(); // first, because a job that is put back again and again would keep those of dead workers waiting
    return this.#lease();
  }

  leaseExhausted(): Promise<LeasedJob | null> {
    return this.#change(async ({ boss, db }) => {
      const [job] = await boss.fetch<StoredJob>(EXHAUSTED, { db });
      if (job === undefined) return null;
      this.#exhausted.set(job.id, job.data.id);
      return { ...job.data, id: job.id, attempt: ATTEMPTS };
    });
  }

  async progress({ id }: LeasedJob, done: number): Promise<void> {
    await this.#database.change((tx) =>
      tx
        .updateTable('job_progress')
        .set({ done, renewed_at: sql<Date>`now()` })
        .where('job_id', '=', id)
        .where('renewed_at', 'is not', null)
        .execute(),
    );
  }

  async finish({ id }: LeasedJob): Promise<void> {
    const original = this.#exhausted.get(id);
    await this.#change(async ({ boss, tx, db }) => {
      await boss.deleteJob(original === undefined ? QUEUE : EXHAUSTED, id, { db });
      await tx
        .deleteFrom('job_progress')
        .where('job_id', '=', original ?? id)
        .execute();
    });
    this.#exhausted.delete(id);
  }

  fail({ id }: LeasedJob, reason: string): Promise<void> {
    return this.#change(async (change) => {
      if (this.#exhausted.has(id)) await change.boss.fail(EXHAUSTED, id, { reason }, { db: change.db });
      else await giveBack(change, [id], reason);
    });
  }

  /** Neither makes nor changes anything. */
  async counts(): Promise<JobCounts> {
    const counts = await this.#database.statement((db) =>
      sql<JobCounts>`
        SELECT coalesce(sum(size) FILTER (WHERE renewed_at IS NULL AND attempts < ${ATTEMPTS}), 0)::int AS waiting,
          coalesce(sum(size - done) FILTER (WHERE renewed_at IS NOT NULL), 0)::int AS running,
          coalesce(sum(size) FILTER (WHERE renewed_at IS NULL AND attempts >= ${ATTEMPTS}), 0)::int AS failed,
          (count(*) FILTER (WHERE size = 0))::int AS vectors
        FROM job_progress`.execute(db),
    );
    return counts.rows[0] ?? { waiting: 0, running: 0, failed: 0, vectors: 0 };
  }

  async close(): Promise<void> {
    const boss = await this.#boss?.catch(() => undefined);
    if (boss === undefined) return;
    await boss.maintain().catch(() => {}); // the next worker does it
    await boss.stop({ graceful: false, wait: true });
  }

  #lease(): Promise<LeasedJob | null> {
    return this.#change(async ({ boss, tx, db }) => {
      const [job] = await boss.fetch<StoredJob>(QUEUE, { db });
      if (job === undefined) return null;
      const { attempts } = await tx
        .updateTable('job_progress')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), renewed_at: sql<Date>`now()` }))
        .where('job_id', '=', job.id)
        .returning('attempts')
        .executeTakeFirstOrThrow();
      return { ...job.data, attempt: attempts };
    });
  }

  /** Gives the jobs of workers back of which nothing has been heard. */
  async #endLeases(): Promise<void> {
    const ended = (tx: Db) =>
      tx
        .selectFrom('job_progress')
        .select('job_id')
        .where('renewed_at', '<', sql<Date>`now() - make_interval(secs => ${this.#times.leaseS})`);
    if ((await this.#database.statement((db) => ended(db).execute())).length === 0) return;
    await this.#change(async (change) => {
      const rows = await ended(change.tx).forUpdate().skipLocked().execute();
      const ids = rows.map(({ job_id }) => job_id);
      if (ids.length > 0) await giveBack(change, ids, 'its worker has ended');
    });
  }

  async #change<T>(change: (parts: QueueChange) => Promise<T>): Promise<T> {
    const boss = await this.#open();
    return this.#database.change((tx) => change({ boss, tx, db: executorOn(tx) }));
  }

  #open(): Promise<PgBoss> {
    this.#boss ??= this.#start().catch((error: unknown) => {
      this.#boss = undefined;
      throw error;
    });
    return this.#boss;
  }

  async #start(): Promise<PgBoss> {
    const { default: Boss } = await import('pg-boss');
    const { address, target } = this.#database;
    const { retryS } = this.#times;
    const pooled: PgBoss.Db = {
      executeSql: (text, values) => this.#database.statement((db) => executorOn(db).executeSql(text, values)),
    };
    const boss = new Boss({ db: pooled, schema: jobsSchema(target.schema), supervise: false, schedule: false });
    boss.on('error', () => {}); // the call that fails reports it
    try {
      await boss.start();
      const times = {
        expireInSeconds: EXPIRY_S,
        retryLimit: ATTEMPTS - 1,
        retryDelay: retryS,
        retryBackoff: retryS > 0,
      };
      for (const [name, options] of [
        [EXHAUSTED, {}],
        [QUEUE, { policy: 'short', deadLetter: EXHAUSTED, ...times }],
      ] as const) {
        if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { name, ...options });
        else await boss.updateQueue(name, { name, ...options });
      }
      return boss;
    } catch (error) {
      await boss.stop({ graceful: false, wait: false }).catch(() => {});
      if (isKebabError(error, 'io_error')) throw error;
      const cause = error instanceof Error ? error.message : String(error);
      throw new KebabError('io_error', `the queue at ${address.shown} cannot be opened: ${cause}`, {
        details: { kind: 'postgres', path: address.shown, cause },
        cause: error,
        hint: 'the user of the database needs the right to create a schema; see also the log of the server',
      });
    }
  }
}

/** The parts of a change of jobs, in one transaction. */
interface QueueChange {
  readonly boss: PgBoss;
  readonly tx: Db;
  /** What pg-boss makes its part of the change with. */
  readonly db: PgBoss.Db;
}

async function giveBack({ boss, tx, db }: QueueChange, ids: readonly string[], reason: string): Promise<void> {
  for (const id of ids) await boss.fail(QUEUE, id, { reason }, { db });
  await tx
    .updateTable('job_progress')
    .set({ done: 0, renewed_at: null })
    .where(isAnyOf('job_id', ids, 'uuid'))
    .execute();
}

function executorOn(tx: Db): PgBoss.Db {
  return {
    executeSql: async (text, values?: readonly unknown[]) => {
      const { rows } = await tx.executeQuery(CompiledQuery.raw(text, [...(values ?? [])]));
      return { rows };
    },
  };
}
