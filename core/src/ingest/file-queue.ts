import type { DocumentStore } from '../contracts/document-store.ts';
import type { Job, JobRepo } from '../contracts/job-repo.ts';
import type { SourceFile } from '../contracts/source-connector.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { FileAction } from './plan-ingest.ts';
import type { ReportBuilder } from './run/report-builder.ts';

/** A file of a source that a worker brings up to date. */
export interface QueuedFile {
  readonly sourceId: string;
  readonly file: SourceFile;
}

/** The job that embeds the documents without vectors; one of them does for all. */
export const VECTORS_JOB: Job = { kind: 'vectors', key: 'vectors', payload: '{}' };

/** The job for a file. */
export function jobOfFile(queued: QueuedFile): Job {
  const payload = JSON.stringify(queued, (_, value: unknown) =>
    typeof value === 'bigint' ? { bigint: String(value) } : value,
  );
  return { kind: 'file', key: `${queued.sourceId}\n${queued.file.workspacePath}`, payload };
}

/** The file of a job that {@link jobOfFile} made. */
export function fileOfJob({ payload }: Job): QueuedFile {
  return JSON.parse(payload, (_, value: { readonly bigint?: unknown } | null) =>
    typeof value?.bigint === 'string' ? BigInt(value.bigint) : value,
  ) as QueuedFile;
}

/** The queue of a store. Throws `invalid_input` for a store without one. */
export async function queueOf(store: DocumentStore): Promise<JobRepo> {
  const queue = await store.jobs?.();
  if (queue !== undefined) return queue;
  throw invalidInput(`${store.location} has no queue: one process at a time writes to it`, {
    field: 'storage.document_store',
    hint: 'ingest without --queue, or move to PostgreSQL first: `kebab move --to postgres://…`',
  });
}

/** The queue into which an ingest puts new and changed files. */
export class FileQueue {
  readonly #queue: JobRepo;
  readonly #report: ReportBuilder;
  readonly #embeds: boolean;

  private constructor(queue: JobRepo, { report, embeds }: FileQueueOptions) {
    this.#queue = queue;
    this.#report = report;
    this.#embeds = embeds;
  }

  /** Throws `invalid_input` for a store without a queue. */
  static async open(store: DocumentStore, options: FileQueueOptions): Promise<FileQueue> {
    return new FileQueue(await queueOf(store), options);
  }

  /** Puts the files that have to be read into the queue, and returns the other actions. */
  async withoutQueued(sourceId: string, actions: readonly FileAction[]): Promise<readonly FileAction[]> {
    const queued = actions.filter(({ kind }) => kind !== 'unchanged');
    for (let at = 0; at < queued.length; at += JOBS_A_CALL)
      await this.#queue.create(queued.slice(at, at + JOBS_A_CALL).map(({ file }) => jobOfFile({ sourceId, file })));
    this.#report.queued(queued.length);
    return actions.filter(({ kind }) => kind === 'unchanged');
  }

  /** Has documents without vectors embedded after the files. */
  async close(): Promise<void> {
    if (this.#embeds) await this.#queue.create([VECTORS_JOB]);
    await this.#queue.close();
  }
}

interface FileQueueOptions {
  /** Counts the files. */
  readonly report: ReportBuilder;
  /** Whether there is an embedder. */
  readonly embeds: boolean;
}

const JOBS_A_CALL = 1000;
