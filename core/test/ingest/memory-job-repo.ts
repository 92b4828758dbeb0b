import type { Job, JobCounts, JobRepo, LeasedJob } from '../../src/contracts/job-repo.ts';

interface MemoryJob extends LeasedJob {
  state: 'waiting' | 'running' | 'failed' | 'recorded';
  attempt: number;
  done: number;
}

/** A queue in memory, for tests of what works with one. Jobs are due again at once; `loseWorkers` ends all leases. */
export class MemoryJobRepo implements JobRepo {
  readonly maxAttempts = 3;
  #jobs: MemoryJob[] = [];
  #made = 0;

  async create(jobs: readonly Job[]): Promise<void> {
    for (const job of jobs)
      if (!this.#jobs.some(({ key, state }) => key === job.key && state === 'waiting'))
        this.#jobs.push({ ...job, id: String(++this.#made), state: 'waiting', attempt: 0, done: 0 });
  }

  async lease(): Promise<LeasedJob | null> {
    return this.#take('waiting', 'running');
  }

  async leaseExhausted(): Promise<LeasedJob | null> {
    return this.#take('failed', 'recorded');
  }

  async progress({ id }: LeasedJob, done: number): Promise<void> {
    for (const job of this.#jobs) if (job.id === id) job.done = done;
  }

  async finish({ id }: LeasedJob): Promise<void> {
    this.#jobs = this.#jobs.filter((job) => job.id !== id);
  }

  async fail({ id }: LeasedJob): Promise<void> {
    for (const job of this.#jobs) if (job.id === id) this.#giveBack(job);
  }

  async counts(): Promise<JobCounts> {
    const count = (state: MemoryJob['state']): number =>
      this.#jobs.reduce((sum, job) => sum + (job.state === state ? job.size - job.done : 0), 0);
    const vectors = this.#jobs.filter(({ size, state }) => size === 0 && state !== 'recorded').length;
    return { waiting: count('waiting'), running: count('running'), failed: count('failed'), vectors };
  }

  async close(): Promise<void> {}

  /** Ends the leases of all workers, as if they had died. */
  loseWorkers(): void {
    for (const job of this.#jobs) if (job.state === 'running') this.#giveBack(job);
  }

  #giveBack(job: MemoryJob): void {
    job.state = job.attempt < this.maxAttempts ? 'waiting' : 'failed';
    job.done = 0;
  }

  #take(from: MemoryJob['state'], to: MemoryJob['state']): LeasedJob | null {
    const job = this.#jobs.find(({ state }) => state === from);
    if (job === undefined) return null;
    job.state = to;
    if (to === 'running') job.attempt++;
    const { id, kind, key, payload, size, attempt } = job;
    return { id, kind, key, payload, size, attempt };
  }
}
