/** Work for any machine: files to bring up to date, or vectors that documents lack. */
export interface Job {
  readonly kind: 'files' | 'vectors';
  /** Identifies the work: while a job waits, another one with its key is not added. */
  readonly key: string;
  /** What the worker needs to know, as JSON. */
  readonly payload: string;
  /** The number of its files; 0 for vectors. */
  readonly size: number;
}

/** A job that one worker has taken. */
export interface LeasedJob extends Job {
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
}

/** The work in a queue by state: files by the size of their jobs, and the other jobs. */
export interface JobCounts {
  /** Including jobs that failed and wait for their next attempt. */
  readonly waiting: number;
  /** What the workers have not done yet of the jobs they have. */
  readonly running: number;
  /** Those that failed too often, and are not recorded as failed files yet. */
  readonly failed: number;
  /** Jobs for vectors, in whatever state. */
  readonly vectors: number;
}

/**
 * A queue of jobs for workers on any number of machines. A job that is taken belongs to one worker until it is finished, fails, or its lease
 * ends because nothing has been heard of the worker; then it waits for its next attempt, longer each time. After {@link JobRepo.maxAttempts} it is exhausted.
 */
export interface JobRepo {
  /** How often a job is tried. */
  readonly maxAttempts: number;
  /** Adds jobs; those whose key waits already are left out. */
  create(jobs: readonly Job[]): Promise<void>;
  /** Takes a job of the earliest call that added one; null when none is due. */
  lease(): Promise<LeasedJob | null>;
  /** Takes a job that failed too often, so that its failure can be recorded; null when there is none. */
  leaseExhausted(): Promise<LeasedJob | null>;
  /** Says how much of a job is done, which also renews its lease. */
  progress(job: LeasedJob, done: number): Promise<void>;
  /** Removes a job that is done. */
  finish(job: LeasedJob): Promise<void>;
  /** Gives a job back; `reason` is one line. */
  fail(job: LeasedJob, reason: string): Promise<void>;
  counts(): Promise<JobCounts>;
  close(): Promise<void>;
}
