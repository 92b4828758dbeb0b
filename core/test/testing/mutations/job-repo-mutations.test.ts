import { describe, it } from 'vitest';
import type { JobRepo, JobRow } from '../../../src/contracts/job-repo.ts';
import { invalidInput } from '../../../src/errors/invalid-input.ts';
import { jobRepoSuite } from '../../../src/testing/job-repo-suite.ts';
import { changed, expectAllCaught } from './mutants.ts';

type Mutate = (sound: MemoryJobs) => JobRepo;

/** Jobs in memory. */
class MemoryJobs implements JobRepo {
  readonly rows = new Map<string, JobRow>();

  create(kind: string, payload: unknown): string {
    const jobId = `job_${this.rows.size}`;
    const at = new Date(0);
    const empty = { progressJson: null, errorJson: null, finishedAt: null, createdAt: at, updatedAt: at };
    this.rows.set(jobId, { jobId, kind, status: 'pending', payloadJson: JSON.stringify(payload), ...empty });
    return jobId;
  }

  updateProgress(id: string, progress: unknown): void {
    const row = this.row(id);
    if (row.finishedAt !== null) return;
    this.rows.set(id, { ...row, status: 'running', progressJson: JSON.stringify(progress) });
  }

  finish(id: string, status: 'succeeded' | 'failed' | 'canceled', error?: string): void {
    const row = this.row(id);
    if (row.finishedAt !== null) return;
    const errorJson = error === undefined ? null : JSON.stringify(error);
    this.rows.set(id, { ...row, status, errorJson, finishedAt: new Date(1) });
  }

  list({ kind, status }: Parameters<JobRepo['list']>[0]): readonly JobRow[] {
    return [...this.rows.values()].filter(
      (row) => (kind === undefined || row.kind === kind) && (status === undefined || row.status === status),
    );
  }

  row(id: string): JobRow {
    const row = this.rows.get(id);
    if (row === undefined) throw invalidInput(`there is no job ${id}`);
    return row;
  }
}

const broken =
  (change: (sound: MemoryJobs) => Partial<JobRepo>): Mutate =>
  (sound) =>
    changed<JobRepo>(sound, change(sound));

describe('jobRepoSuite', () => {
  it('catches every fault', async () => {
    await expectAllCaught<Mutate>(
      (mutate) =>
        jobRepoSuite({
          open: () => {
            const sound = new MemoryJobs();
            return mutate?.(sound) ?? sound;
          },
        }),
      {
        'loses the payload': broken((sound) => ({ create: (kind) => sound.create(kind, null) })),
        'gives two jobs one id': broken((sound) => ({
          create: (kind, payload) => sound.create(kind, payload).slice(0, 5),
        })),
        'begins as running': broken((sound) => ({
          create: (kind, payload) => {
            const id = sound.create(kind, payload);
            sound.rows.set(id, { ...sound.row(id), status: 'running' });
            return id;
          },
        })),
        'keeps the first progress': broken((sound) => ({
          updateProgress: (id, progress) => {
            if (sound.row(id).progressJson === null) sound.updateProgress(id, progress);
          },
        })),
        'stays pending while it runs': broken((sound) => ({
          updateProgress: (id, progress) => {
            sound.updateProgress(id, progress);
            sound.rows.set(id, { ...sound.row(id), status: 'pending' });
          },
        })),
        'goes back from failed to succeeded': broken((sound) => ({
          finish: (id, status, error) => {
            sound.rows.set(id, { ...sound.row(id), finishedAt: null });
            sound.finish(id, status, error);
          },
        })),
        'makes progress after its end': broken((sound) => ({
          updateProgress: (id, progress) =>
            void sound.rows.set(id, { ...sound.row(id), progressJson: JSON.stringify(progress) }),
        })),
        'loses the error': broken((sound) => ({ finish: (id, status) => sound.finish(id, status) })),
        'lists the newest first': broken((sound) => ({ list: (filter) => sound.list(filter).toReversed() })),
        'looks at no filter': broken((sound) => ({ list: () => sound.list({}) })),
        'takes jobs that are not there': broken((sound) => ({
          finish: (id, status, error) => {
            if (sound.rows.has(id)) sound.finish(id, status, error);
          },
        })),
      },
      (sound) => changed<JobRepo>(sound, {}),
    );
  });
});
