import { setTimeout as sleep } from 'node:timers/promises';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, QuarantinedFile } from '../contracts/document-store.ts';
import type { JobRepo, LeasedJob } from '../contracts/job-repo.ts';
import { EXTERNAL } from '../documents/source-roots.ts';
import { classifyError } from '../errors/classify-error.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { IngestReport, WorkReport } from '../wire/index.ts';
import { fileOfJob, queueOf, type QueuedFile, VECTORS_JOB } from './file-queue.ts';
import type { IngestPorts } from './ingest-context.ts';
import { connectorOf } from './ingest-folder.ts';
import { performIngest } from './perform-ingest.ts';
import { HOST_AGENT } from './run/report-builder.ts';
import { sourcesToWalk } from './run/scan-sources.ts';
import { withScan } from './scan/connectors.ts';

/** How long a worker works, and who follows it. */
export interface WorkOptions extends AbortOptions {
  /** Ends when nothing waits and nothing runs, instead of waiting for more. */
  readonly untilEmpty?: boolean | undefined;
  /** Called after each job. */
  readonly onJob?: ((done: WorkedJob) => void) | undefined;
}

/** What came of one job. */
export interface WorkedJob {
  /** The path of a file with its source; `vectors` for the documents without them. */
  readonly what: string;
  /** Why it has to be tried again, or could not be read; null if it is done. */
  readonly problem: string | null;
}

const POLL_MS = 500;

/**
 * Takes jobs from the queue one after another: reads and cuts a file without the writer's lock, and holds it only to write. A job that
 * cannot be finished goes back, and is recorded as a failed file when it has failed too often. Ends when its signal fires, after the
 * file in progress.
 */
export async function workOffQueue(ports: IngestPorts, options: WorkOptions = {}): Promise<WorkReport> {
  const { signal = new AbortController().signal, untilEmpty = false, onJob } = options;
  const store = await ports.documents.write();
  const queue = await queueOf(store);
  const counts = { files: 0, failed: 0, retried: 0 };
  try {
    while (!signal.aborted) {
      await recordExhausted(queue, { store, ports });
      const job = await queue.lease();
      if (job === null) {
        if (untilEmpty && (await isIdle(queue))) break;
        await sleep(POLL_MS, undefined, { signal }).catch(() => {});
        continue;
      }
      const what = job.kind === 'file' ? whatOf(fileOfJob(job)) : 'vectors';
      const { problem, isRetried } = await attempt(job, { queue, ports });
      if (isRetried) counts.retried++;
      else if (problem !== null) counts.failed++;
      else if (job.kind === 'file') counts.files++;
      onJob?.({ what, problem });
    }
  } finally {
    await queue.close();
  }
  return { schema_version: 'work_report.v1', ...counts };
}

async function isIdle(queue: JobRepo): Promise<boolean> {
  const { waiting, running, failed } = await queue.counts();
  return waiting + running + failed === 0;
}

function whatOf({ sourceId, file }: QueuedFile): string {
  return `${sourceId}:${file.workspacePath}`;
}

interface Attempt {
  readonly problem: string | null;
  /** Whether the job waits for its next attempt. */
  readonly isRetried: boolean;
}

async function attempt(
  job: LeasedJob,
  { queue, ports }: { readonly queue: JobRepo; readonly ports: IngestPorts },
): Promise<Attempt> {
  try {
    const report = job.kind === 'file' ? await ingestFile(ports, fileOfJob(job)) : await embedAll(ports);
    await queue.finish(job);
    if (job.kind === 'vectors') await embedLater(queue);
    const failed = report.items?.find(({ kind }) => kind === 'error');
    return { problem: failed?.error ?? null, isRetried: false };
  } catch (error) {
    const reason = classifyError(error).message.split('\n', 1)[0] ?? '';
    ports.log.warn('a job goes back to the queue', { key: job.key, reason });
    await queue.fail(job, reason);
    return { problem: reason, isRetried: true };
  }
}

/** Ingests one file, whatever its size and time; the lock is taken when it is ready. */
async function ingestFile(ports: IngestPorts, { sourceId, file }: QueuedFile): Promise<IngestReport> {
  return performIngest(ports, {
    options: { verify: true },
    open: async (store) => {
      const indexed = await store.indexedRoots();
      const source = sourcesToWalk(ports.config, indexed, undefined).find(({ id }) => id === sourceId);
      if (source === undefined)
        throw invalidInput(`there is no source ${JSON.stringify(sourceId)} here`, { field: 'source', value: sourceId });
      const isFolder = source.connectorId === 'fs' || source.id === EXTERNAL;
      const connector = withScan(await connectorOf(source, ports), async function* () {
        yield file;
      });
      return [{ ...source, root: (isFolder ? indexed.get(sourceId) : undefined) ?? source.root, connector }];
    },
    hints: null,
    isWhole: false,
    changes: new Map(),
    embeds: false,
    locksLate: true,
  });
}

/** Gives every document the vectors it lacks. */
async function embedAll(ports: IngestPorts): Promise<IngestReport> {
  const task = { options: {}, open: noSources, hints: null, isWhole: false, changes: new Map(), locksLate: true };
  return performIngest(ports, task);
}

async function noSources(): Promise<readonly []> {
  return [];
}

/** Documents that are still being read have no vectors yet. */
async function embedLater(queue: JobRepo): Promise<void> {
  const { waiting, running } = await queue.counts();
  if (waiting + running === 0) return;
  await sleep(POLL_MS);
  await queue.create([VECTORS_JOB]);
}

/** Records the files whose jobs failed too often: their workers died, or none could reach what they needed. */
async function recordExhausted(
  queue: JobRepo,
  { store, ports }: { readonly store: DocumentStore; readonly ports: IngestPorts },
): Promise<void> {
  for (let job = await queue.leaseExhausted(); job !== null; job = await queue.leaseExhausted()) {
    if (job.kind === 'file') {
      const { sourceId, file } = fileOfJob(job);
      const failed: QuarantinedFile = {
        sourceId,
        workspacePath: file.workspacePath,
        reason: `${queue.maxAttempts} workers gave it up or ended while they read it`,
        code: 'io_error',
        agent: HOST_AGENT,
        attempts: queue.maxAttempts,
        lastFailedAt: ports.clock.now(),
      };
      await addToQuarantine(store, failed);
    }
    await queue.finish(job);
  }
}

const WRITE_WAIT_MS = 60_000;

async function addToQuarantine(store: DocumentStore, failed: QuarantinedFile): Promise<void> {
  const writer = await store.openWriter({ waitMs: WRITE_WAIT_MS });
  try {
    const others = (await store.quarantined()).filter(
      ({ sourceId, workspacePath }) => sourceId !== failed.sourceId || workspacePath !== failed.workspacePath,
    );
    await writer.setQuarantine([...others, failed]);
  } finally {
    await writer.close();
  }
}
