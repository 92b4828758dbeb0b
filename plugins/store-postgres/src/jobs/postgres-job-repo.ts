import { KebabError } from '@kebab/core';
import type { Job, JobCounts, JobRepo, LeasedJob } from '@kebab/core/store';
import type PgBoss from 'pg-boss';
import { jobsSchema, type Address, type Connecting } from '../database/connection.ts';
import { postgresFailure } from '../database/postgres-failure.ts';

/** How jobs are tried again. */
export interface JobTimes {
  /** How long a job belongs to its worker. */
  readonly leaseS: number;
  /** How long it waits before its second attempt; twice as long before each later one. */
  readonly retryS: number;
}

const QUEUE = 'jobs';
const EXHAUSTED = 'exhausted';
/** How often a job is tried. */
const ATTEMPTS = 5;

type StoredJob = Pick<Job, 'kind' | 'key' | 'payload'>;

/** Jobs in tables of pg-boss, in a schema beside that of the knowledge base. */
export class PostgresJobRepo implements JobRepo {
  readonly maxAttempts = ATTEMPTS;
  readonly #boss: PgBoss;
  readonly #address: Address;
  /** The jobs taken from the queue of those that failed too often. */
  readonly #exhausted = new Set<string>();
  #lastFailure: unknown = null;

  private constructor(boss: PgBoss, address: Address) {
    this.#boss = boss;
    this.#address = address;
    boss.on('error', (error) => (this.#lastFailure = error)); // the call that needs the connection reports its loss
  }

  static async open({ client, schema, address }: Connecting, { leaseS, retryS }: JobTimes): Promise<PostgresJobRepo> {
    const { default: Boss } = await import('pg-boss');
    const { types: _, connectionTimeoutMillis: _timeout, ...server } = client;
    const boss = new Boss({
      ...(server as object),
      schema: jobsSchema(schema),
      max: 2,
      supervise: false,
      schedule: false,
    });
    const repo = new PostgresJobRepo(boss, address);
    try {
      await boss.start();
      const times = { expireInSeconds: leaseS, retryLimit: ATTEMPTS - 1, retryDelay: retryS, retryBackoff: true };
      for (const [name, options] of [
        [EXHAUSTED, {}],
        [QUEUE, { policy: 'short', deadLetter: EXHAUSTED, ...times }],
      ] as const) {
        if ((await boss.getQueue(name)) === null) await boss.createQueue(name, { name, ...options });
        else await boss.updateQueue(name, { name, ...options });
      }
      return repo;
    } catch (error) {
      await boss.stop({ graceful: false, wait: false }).catch(() => {});
      const cause = error instanceof Error ? error.message : String(error);
      throw new KebabError('io_error', `the queue at ${address.shown} cannot be opened: ${cause}`, {
        details: { kind: 'postgres', path: address.shown, cause },
        cause: error,
        hint: 'the user of the database needs the right to create a schema; see also the log of the server',
      });
    }
  }

  async create(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return;
    await this.#guard(() =>
      this.#boss.insert(
        jobs.map(({ kind, key, payload }) => ({
          name: QUEUE,
          data: { kind, key, payload } satisfies StoredJob,
          singletonKey: key,
        })),
      ),
    );
  }

  async lease(): Promise<LeasedJob | null> {
    const job = await this.#fetch(QUEUE);
    if (job !== null) return job;
    await this.#guard(() => this.#boss.expire()); // the jobs of workers that have died
    return this.#fetch(QUEUE);
  }

  async leaseExhausted(): Promise<LeasedJob | null> {
    const job = await this.#fetch(EXHAUSTED);
    if (job !== null) this.#exhausted.add(job.id);
    return job;
  }

  async finish({ id }: LeasedJob): Promise<void> {
    const queue = this.#exhausted.delete(id) ? EXHAUSTED : QUEUE;
    await this.#guard(async () => {
      await this.#boss.complete(queue, id);
      await this.#boss.deleteJob(queue, id);
    });
  }

  async fail({ id }: LeasedJob, reason: string): Promise<void> {
    const queue = this.#exhausted.delete(id) ? EXHAUSTED : QUEUE;
    await this.#guard(() => this.#boss.fail(queue, id, { reason }));
  }

  async counts(): Promise<JobCounts> {
    const [waiting, unfinished, failed] = await this.#guard(() =>
      Promise.all([
        this.#boss.getQueueSize(QUEUE, { before: 'active' }),
        this.#boss.getQueueSize(QUEUE, { before: 'completed' }),
        this.#boss.getQueueSize(EXHAUSTED, { before: 'completed' }),
      ]),
    );
    return { waiting, running: unfinished - waiting, failed };
  }

  async close(): Promise<void> {
    if (this.#lastFailure === null) await this.#boss.maintain().catch(() => {}); // the next worker does it
    await this.#boss.stop({ graceful: false, wait: true });
  }

  async #fetch(queue: string): Promise<LeasedJob | null> {
    const [job] = await this.#guard(() => this.#boss.fetch<StoredJob>(queue));
    return job === undefined ? null : { id: job.id, ...job.data };
  }

  async #guard<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      throw postgresFailure(error, this.#address) satisfies unknown;
    }
  }
}
