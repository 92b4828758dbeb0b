import type { Picture } from '../contracts/extractor.ts';
import type { Extraction, ExtractionHost, ExtractionJob, RenderJob } from './extraction-job.ts';
import { ExtractionThread, type ThreadOptions } from './extraction-thread.ts';

/** A number of extraction threads, each started when a file first needs it. */
export class WorkerPool implements ExtractionHost {
  readonly #idle: ExtractionThread[];
  readonly #all: readonly ExtractionThread[];
  readonly #waiting: ((thread: ExtractionThread) => void)[] = [];

  constructor(options: ThreadOptions & { readonly threads: number }) {
    this.#all = Array.from({ length: options.threads }, () => new ExtractionThread(options));
    this.#idle = this.#all.toReversed();
  }

  extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    return this.#with((thread) => thread.extract(job, signal));
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    return this.#with((thread) => thread.render(job, signal));
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((thread) => thread.close()));
  }

  async #with<T>(use: (thread: ExtractionThread) => Promise<T>): Promise<T> {
    const thread = await this.#acquire();
    try {
      return await use(thread);
    } finally {
      this.#release(thread);
    }
  }

  async #acquire(): Promise<ExtractionThread> {
    return this.#idle.pop() ?? new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #release(thread: ExtractionThread): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(thread);
    else next(thread);
  }
}
