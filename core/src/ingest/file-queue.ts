import type { DocumentStore } from '../contracts/document-store.ts';
import type { Job, JobRepo } from '../contracts/job-repo.ts';
import type { SourceFile } from '../contracts/source-connector.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import type { FileAction } from './plan-ingest.ts';
import { LIGHT_MEDIA } from './run/prepare-file.ts';
import type { ReportBuilder } from './run/report-builder.ts';

/** The job that embeds the documents without vectors, or divides them into {@link vectorsPart}s, and writes words to a server. */
export const VECTORS_JOB: Job = { kind: 'vectors', key: 'vectors', payload: '{}', size: 0 };

/** A share of the documents without vectors. */
export interface VectorsPart {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

/** The job that embeds one of several shares. */
export function vectorsPart(part: VectorsPart): Job {
  return { ...VECTORS_JOB, key: `vectors ${part.index}/${part.count}`, payload: JSON.stringify({ part }) };
}

/** The job that embeds what its parts have left, when they are done. */
export const VECTORS_REST: Job = { ...VECTORS_JOB, payload: '{"isRest":true}' };

/** What a job for vectors is about. */
export function vectorsOfJob({ payload }: Job): { readonly part?: VectorsPart; readonly isRest?: boolean } {
  return JSON.parse(payload) as ReturnType<typeof vectorsOfJob>;
}

/** So many texts, and so many bytes, are read with one start of an ingest. */
const MAX_FILES = 64;
const MAX_BYTES = 1_048_576;
/** A page or a picture to read takes as long as so many texts: workers share them more evenly. */
const TEXTS_A_DOCUMENT = 16;

/** Jobs for files, several of a source each: the work of a second or a few. */
export function jobsOfFiles(
  sourceId: string,
  files: readonly SourceFile[],
  maxFiles: number = MAX_FILES,
): readonly Job[] {
  const groups: SourceFile[][] = [];
  let weight = Infinity;
  let bytes = 0;
  for (const file of files) {
    const own = LIGHT_MEDIA.has(file.mediaType.kind) ? 1 : TEXTS_A_DOCUMENT;
    if (weight + own > maxFiles || bytes + file.size > MAX_BYTES) {
      groups.push([]);
      weight = 0;
      bytes = 0;
    }
    groups.at(-1)?.push(file);
    weight += own;
    bytes += file.size;
  }
  return groups.map((group) => jobOf(sourceId, group));
}

function jobOf(sourceId: string, files: readonly SourceFile[]): Job {
  const stored = files.map(({ mtimeNs, linkChangedNs, ...rest }) => ({
    ...rest,
    mtimeNs: String(mtimeNs),
    ...(linkChangedNs === undefined ? {} : { linkChangedNs: String(linkChangedNs) }),
  }));
  const paths = files.map(({ workspacePath }) => workspacePath);
  return {
    kind: 'files',
    key: blake3Hex(JSON.stringify([sourceId, ...paths])),
    payload: JSON.stringify({ sourceId, files: stored }),
    size: files.length,
  };
}

/** Files of a source that a worker brings up to date. */
export interface QueuedFiles {
  readonly sourceId: string;
  readonly files: readonly SourceFile[];
}

/** The files of a job that {@link jobsOfFiles} made. */
export function filesOfJob({ payload }: Job): QueuedFiles {
  const { sourceId, files } = JSON.parse(payload) as {
    readonly sourceId: string;
    readonly files: readonly StoredFile[];
  };
  return {
    sourceId,
    files: files.map(({ mtimeNs, linkChangedNs, ...rest }) => ({
      ...rest,
      mtimeNs: BigInt(mtimeNs),
      ...(linkChangedNs === undefined ? {} : { linkChangedNs: BigInt(linkChangedNs) }),
    })),
  };
}

type StoredFile = Omit<SourceFile, 'mtimeNs' | 'linkChangedNs'> & {
  readonly mtimeNs: string;
  readonly linkChangedNs?: string;
};

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
export type FileQueue = Awaited<ReturnType<typeof openFileQueue>>;

const JOBS_A_CALL = 100;

/**
 * Opens the queue of a store for an ingest, whose report counts the files. The last job is for an embedder, or an index of words on a server.
 * Throws `invalid_input` for a store without a queue.
 */
export async function openFileQueue(
  store: DocumentStore,
  { report, hasLastJob }: { readonly report: ReportBuilder; readonly hasLastJob: boolean },
) {
  const queue = await queueOf(store);
  return {
    /** Puts the files that have to be read into the queue, and returns the other actions. */
    withoutQueued: async (sourceId: string, actions: readonly FileAction[]): Promise<readonly FileAction[]> => {
      const files = actions.flatMap(({ kind, file }) => (kind === 'unchanged' ? [] : [file]));
      const jobs = jobsOfFiles(sourceId, files);
      for (let at = 0; at < jobs.length; at += JOBS_A_CALL) await queue.create(jobs.slice(at, at + JOBS_A_CALL));
      report.queued(files.length);
      return actions.filter(({ kind }) => kind === 'unchanged');
    },
    /** Has vectors, and words on a server, written after the files. */
    close: async (): Promise<void> => {
      if (hasLastJob) await queue.create([VECTORS_JOB]);
      await queue.close();
    },
  };
}
