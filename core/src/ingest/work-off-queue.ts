import { setTimeout as sleep } from 'node:timers/promises';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, QuarantinedFile } from '../contracts/document-store.ts';
import type { Job, JobRepo, LeasedJob } from '../contracts/job-repo.ts';
import { countedFingerprint } from '../embedding/open-embedding.ts';
import { classifyError } from '../errors/classify-error.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { isKebabError, type KebabError } from '../errors/kebab-error.ts';
import type { IngestReport, WorkReport } from '../wire/index.ts';
import {
  filesOfJob,
  jobsOfFiles,
  queueOf,
  type QueuedFiles,
  VECTORS_JOB,
  VECTORS_REST,
  vectorsOfJob,
  vectorsPart,
} from './file-queue.ts';
import type { IngestOptions, IngestPorts } from './ingest-context.ts';
import { performIngest } from './perform-ingest.ts';
import { HOST_AGENT } from './run/report-builder.ts';
import { connectorOf, sourcesAsIndexed } from './run/scan-sources.ts';
import { withScan } from './scan/connectors.ts';

/** How long a worker works, and who follows it. */
export interface WorkOptions extends AbortOptions {
  /** Ends when nothing waits and nothing runs, instead of waiting for more. */
  readonly untilEmpty?: boolean | undefined;
  /** Called for each file of a job, and for each other job, when the job has ended. */
  readonly onJob?: ((done: WorkedJob) => void) | undefined;
}

/** What came of one file, or of other work. */
export interface WorkedJob {
  /** The path of a file with its source; `vectors` for the documents without them, `queue` while that cannot be reached. */
  readonly what: string;
  /** Why it has to be tried again, or could not be read; null if it is done. */
  readonly problem: string | null;
}

const POLL_MS = 500;
/** How often a worker says how far it is, so that others see that it lives. */
const PROGRESS_MS = 1000;
/** At this attempt the files of a job are read by jobs of their own, since one of them may be what ends the workers. */
const FIRST_DIVIDED_ATTEMPT = 3;
/** How long an interrupted worker goes on with the file in progress. */
const GRACE_MS = 24 * 60 * 60 * 1000;
/** Fewer documents without vectors are not divided. */
const DOCUMENTS_A_PART = 500;
const MAX_PARTS = 16;
/** A server that is restarted is back after this long, or a little longer. */
const RECOVERY_MS = 2000;
/** How often the queue may fail before the worker ends. */
const MAX_FAILURES = 60;

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
}

/**
 * Takes jobs from the queue one after another, and reads their files one by one without the writer's lock, which it holds only to write: at
 * least each half second, so that whoever reads them again after its death finds them as indexed. A job that cannot be finished goes back,
 * and its files are recorded as failed when it has failed too often. Waits while the queue cannot be reached. Ends when its signal fires,
 * after the file in progress.
 */
export async function workOffQueue(ports: IngestPorts, options: WorkOptions = {}): Promise<WorkReport> {
  const { signal = new AbortController().signal, untilEmpty = false, onJob } = options;
  const counts = { files: 0, failed: 0, retried: 0 };
  let worker: Worker | null = null;
  try {
    for (let failures = 0; !signal.aborted;) {
      try {
        worker ??= await openWorker(ports, signal);
        const { queue } = worker;
        await recordExhausted(worker);
        const job = await queue.lease();
        failures = 0;
        if (job === null) {
          if (untilEmpty && (await isIdle(queue))) break;
          await pause(POLL_MS, signal);
          continue;
        }
        const { done, isRetried } = await attempt(job, worker);
        if (isRetried) counts.retried++;
        for (const one of done) {
          if (job.kind === 'files' && !isRetried) counts[one.problem === null ? 'files' : 'failed']++;
          onJob?.(one);
        }
      } catch (error) {
        if (!mayPass(error) || ++failures === MAX_FAILURES) throw error;
        onJob?.({ what: 'queue', problem: error.message });
        await pause(RECOVERY_MS, signal);
      }
    }
  } finally {
    await worker?.queue.close();
  }
  return { schema_version: 'work_report.v1', ...counts };
}

/** Whether a failure may pass by itself, as of a server that is away, starting or full; all others have to be corrected. */
function mayPass(error: unknown): error is KebabError {
  return isKebabError(error, 'timeout') || (isKebabError(error, 'io_error') && /^E(?!RR_)/.test(error.details.kind));
}

async function openWorker(ports: IngestPorts, signal: AbortSignal): Promise<Worker> {
  const store = await ports.documents.write();
  // One file at a time: a machine has as many workers as cores.
  const config = { ...ports.config, indexing: { ...ports.config.indexing, maxParallelExtractors: 1 } };
  return { queue: await queueOf(store), store, ports: { ...ports, config }, signal };
}

/** What every job of a worker needs. */
interface Worker {
  readonly queue: JobRepo;
  readonly store: DocumentStore;
  readonly ports: IngestPorts;
  readonly signal: AbortSignal;
}

async function isIdle(queue: JobRepo): Promise<boolean> {
  const { waiting, running, failed, vectors } = await queue.counts();
  return waiting + running + failed + vectors === 0;
}

interface Attempt {
  readonly done: readonly WorkedJob[];
  /** Whether the job waits for its next attempt. */
  readonly isRetried: boolean;
}

async function attempt(job: LeasedJob, worker: Worker): Promise<Attempt> {
  const { queue, ports } = worker;
  try {
    const done = job.kind === 'files' ? await readFiles(job, worker) : await embed(job, worker);
    await queue.finish(job);
    // Two workers that wait with such a job each would take the other's for work, for ever.
    if (done === null) await pause(POLL_MS, worker.signal);
    return { done: done ?? [], isRetried: false };
  } catch (error) {
    const reason = classifyError(error).message.split('\n', 1)[0] ?? '';
    ports.log.warn('a job goes back to the queue', { key: job.key, reason });
    await queue.fail(job, reason);
    return { done: [{ what: nameOf(job), problem: reason }], isRetried: true };
  }
}

function nameOf(job: Job): string {
  if (job.kind === 'vectors') return job.key;
  const { sourceId, files } = filesOfJob(job);
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return `${sourceId}:${files[0]?.workspacePath}${more}`;
}

/** Ingests the files of a job, whatever their size and time, and gives those back that an interrupted worker has not reached. */
async function readFiles(job: LeasedJob, { queue, ports, signal }: Worker): Promise<readonly WorkedJob[]> {
  const { sourceId, files } = filesOfJob(job);
  if (files.length > 1 && job.attempt >= FIRST_DIVIDED_ATTEMPT) {
    await queue.create(jobsOfFiles(sourceId, files, 1));
    return [];
  }
  let done = 0;
  const report = await reporting(job, { queue, done: () => done }, () =>
    ingestFiles(
      ports,
      { sourceId, files },
      {
        signal: AbortSignal.any([signal]), // what listens to it ends with the job
        graceMs: GRACE_MS,
        onProgress: ({ kind }) => void (done += Number(kind === 'asset_finished')),
      },
    ),
  );
  const items = report.items ?? [];
  const handled = new Set(items.map(({ doc_path }) => doc_path));
  await queue.create(
    jobsOfFiles(
      sourceId,
      files.filter(({ workspacePath }) => !handled.has(workspacePath)),
    ),
  );
  return items.map(({ doc_path, kind, error }) => ({
    what: `${sourceId}:${doc_path}`,
    problem: kind === 'error' ? error : null,
  }));
}

/** Says how far a job is while something works on it. */
async function reporting<T>(
  job: LeasedJob,
  { queue, done }: { readonly queue: JobRepo; readonly done: () => number },
  work: () => Promise<T>,
): Promise<T> {
  const worked = new AbortController();
  const said = (async () => {
    for (await pause(PROGRESS_MS, worked.signal); !worked.signal.aborted; await pause(PROGRESS_MS, worked.signal))
      await queue.progress(job, done()).catch(() => {}); // the next one may reach the queue
  })();
  try {
    return await work();
  } finally {
    worked.abort();
    await said;
  }
}

async function ingestFiles(
  ports: IngestPorts,
  { sourceId, files }: QueuedFiles,
  options: IngestOptions,
): Promise<IngestReport> {
  return performIngest(ports, {
    ...LATE,
    options: { ...options, verify: true },
    open: async (store) => {
      const sources = sourcesAsIndexed(ports.config, await store.indexedRoots());
      const source = sources.find(({ id }) => id === sourceId);
      if (source === undefined)
        throw invalidInput(`there is no source ${JSON.stringify(sourceId)} here`, { field: 'source', value: sourceId });
      const connector = withScan(await connectorOf(source, ports), async function* () {
        yield* files;
      });
      return [{ ...source, connector }];
    },
    embeds: false,
  });
}

const LATE = { changes: new Map(), locksLate: true };

/**
 * Gives documents the vectors they lack: a share of them, or all. All are divided when there are many, and the rest waits until nothing else
 * is in the queue: documents that are still being read have no vectors yet, and vectors that others are writing are no rest. Null for a job
 * that was put back to wait.
 */
async function embed(job: LeasedJob, { queue, store, ports, signal }: Worker): Promise<readonly WorkedJob[] | null> {
  const { part, isRest = false } = vectorsOfJob(job);
  const again = isRest ? VECTORS_REST : VECTORS_JOB;
  if (part === undefined && (await hasOtherWork(queue))) {
    await queue.create([again]);
    return null;
  }
  const { provider, model } = ports.config.models.embedding;
  if (part === undefined && !isRest && provider !== 'none') {
    const counted = await countedFingerprint(store.vectors, { model, known: null });
    const count = Math.min(
      MAX_PARTS,
      Math.floor((await store.vectors.countDocumentsWithout(counted)) / DOCUMENTS_A_PART),
    );
    if (count > 1) {
      const parts = Array.from({ length: count }, (_, index) => vectorsPart({ index, count }));
      await queue.create([...parts, VECTORS_REST]);
      return [];
    }
  }
  const task = { ...LATE, options: { signal: AbortSignal.any([signal]) }, open: noSources, embeds: part ?? true };
  const { aborted, degraded } = await reporting(job, { queue, done: () => 0 }, () => performIngest(ports, task));
  const missing = degraded.find(
    ({ stage, reason }) => /^(?:vector|words)$/.test(stage) && reason !== 'vectors_incomplete',
  );
  if (missing !== undefined) throw new Error(missing.hint ?? missing.reason); // what is missing may be back at the next attempt
  if (aborted) await queue.create([part === undefined ? again : vectorsPart(part)]);
  return [{ what: job.key, problem: null }];
}

/** Whether there is more than the job of this worker. */
async function hasOtherWork(queue: JobRepo): Promise<boolean> {
  const { waiting, running, vectors } = await queue.counts();
  return waiting + running + vectors > 1;
}

async function noSources(): Promise<readonly []> {
  return [];
}

/** Records the files whose jobs failed too often: their workers died, or none could reach what they needed. */
async function recordExhausted({ queue, store, ports }: Worker): Promise<void> {
  for (let job = await queue.leaseExhausted(); job !== null; job = await queue.leaseExhausted()) {
    if (job.kind === 'files') {
      const { sourceId, files } = filesOfJob(job);
      const failed = files.map(({ workspacePath }) => ({
        sourceId,
        workspacePath,
        reason: `${queue.maxAttempts} workers gave it up or ended while they read it`,
        code: 'io_error' as const,
        agent: HOST_AGENT,
        attempts: queue.maxAttempts,
        lastFailedAt: ports.clock.now(),
      }));
      await addToQuarantine(store, failed);
    }
    await queue.finish(job);
  }
}

const WRITE_WAIT_MS = 60_000;

async function addToQuarantine(store: DocumentStore, failed: readonly QuarantinedFile[]): Promise<void> {
  const writer = await store.openWriter({ waitMs: WRITE_WAIT_MS });
  try {
    const others = (await store.quarantined()).filter(
      (old) => !failed.some((one) => one.sourceId === old.sourceId && one.workspacePath === old.workspacePath),
    );
    await writer.setQuarantine([...others, ...failed]);
  } finally {
    await writer.close();
  }
}
