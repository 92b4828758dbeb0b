import { randomBytes } from 'node:crypto';
import { invalidInput, type Clock, type JobRepo, type JobRow, type JobStatus } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { storeFailure } from '../database/store-failure.ts';
import type { Row } from '../database/tables.ts';
import { TypedQueries } from '../database/typed-queries.ts';

/** Where the jobs are kept, and by which clock. */
export interface JobRepoOptions {
  /** Told in messages. */
  readonly location: string;
  readonly clock: Clock;
}

/**
 * Jobs in the database of the documents. Reporting progress makes a pending job running; what has finished stays as it
 * finished, whoever reports on it later. Unknown ids are `invalid_input`.
 */
export class SqliteJobRepo implements JobRepo {
  readonly #queries: TypedQueries;
  readonly #options: JobRepoOptions;

  constructor(db: Connection, options: JobRepoOptions) {
    this.#queries = new TypedQueries(db);
    this.#options = options;
  }

  create(kind: string, payload: unknown): string {
    const now = this.#options.clock.now();
    const id = `job_${now.getTime().toString(16).padStart(12, '0')}${randomBytes(4).toString('hex')}`;
    const at = now.toISOString();
    const payload_json = JSON.stringify(payload ?? null);
    const values = { job_id: id, kind, status: 'pending', payload_json, created_at: at, updated_at: at };
    this.#guard(() => this.#queries.run(this.#queries.from.insertInto('jobs').values(values)));
    return id;
  }

  updateProgress(id: string, progress: unknown): void {
    this.#advance(id, { status: 'running', progress_json: JSON.stringify(progress ?? null) });
  }

  finish(id: string, status: 'succeeded' | 'failed' | 'canceled', error?: string): void {
    const finished_at = this.#options.clock.now().toISOString();
    this.#advance(id, { status, finished_at, ...(error !== undefined && { error_json: JSON.stringify(error) }) });
  }

  /** In order of creation. */
  list({ kind, status }: { readonly kind?: string; readonly status?: JobStatus }): readonly JobRow[] {
    let query = this.#queries.from.selectFrom('jobs').selectAll().orderBy('created_at').orderBy('job_id');
    if (kind !== undefined) query = query.where('kind', '=', kind);
    if (status !== undefined) query = query.where('status', '=', status);
    return this.#guard(() => this.#queries.all(query).map(toJob));
  }

  #advance(id: string, change: Partial<Omit<Row<'jobs'>, 'job_id'>>): void {
    const { from } = this.#queries;
    const update = from
      .updateTable('jobs')
      .set({ ...change, updated_at: this.#options.clock.now().toISOString() })
      .where('job_id', '=', id)
      .where('status', 'in', ['pending', 'running']);
    this.#guard(() => {
      if (this.#queries.run(update).changes > 0) return;
      const known = this.#queries.first(from.selectFrom('jobs').select('job_id').where('job_id', '=', id));
      if (known === undefined) throw invalidInput(`there is no job ${JSON.stringify(id)}`, { field: 'job', value: id });
    });
  }

  #guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw storeFailure(error, this.#options.location) satisfies unknown;
    }
  }
}

function toJob(row: Row<'jobs'>): JobRow {
  return {
    jobId: row.job_id,
    kind: row.kind,
    status: row.status as JobStatus,
    payloadJson: row.payload_json,
    progressJson: row.progress_json,
    errorJson: row.error_json,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
  };
}
