/** How far a job is; it only moves forward. */
export type JobStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'canceled';

/** A long piece of work that is recorded. */
export interface JobRow {
  readonly jobId: string;
  readonly kind: string;
  readonly status: JobStatus;
  readonly payloadJson: string;
  readonly progressJson: string | null;
  readonly errorJson: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
}

/** Keeps jobs; a status only moves forward. */
export interface JobRepo {
  create(kind: string, payload: unknown): string;
  updateProgress(id: string, progress: unknown): void;
  finish(id: string, status: 'succeeded' | 'failed' | 'canceled', error?: string): void;
  list(filter: { readonly kind?: string; readonly status?: JobStatus }): readonly JobRow[];
}
