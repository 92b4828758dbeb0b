import type { Picture } from '../contracts/extractor.ts';
import type { Extraction, ExtractionHost, ExtractionJob, RenderJob } from './extraction-job.ts';

/** What {@link DividedExtraction} divides the work between. */
export interface DividedExtractionInit {
  /** Runs what came with kebab. */
  readonly own: ExtractionHost;
  /** Runs what did not, within a fence. */
  readonly fenced: ExtractionHost;
  /** Names of the plugins that did not come with kebab. */
  readonly strangers: ReadonlySet<string>;
  /** Told of each failure of theirs; it is thrown as well. */
  readonly onStrangerFailure: (error: unknown) => void;
}

/** Keeps extractors of strangers out of the threads of those that came with kebab: each kind has its own. */
export class DividedExtraction implements ExtractionHost {
  readonly #init: DividedExtractionInit;

  constructor(init: DividedExtractionInit) {
    this.#init = init;
  }

  extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    return this.#run(job, (host) => host.extract(job, signal));
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    return this.#run(job, (host) => host.render(job, signal));
  }

  async close(): Promise<void> {
    const { own, fenced } = this.#init;
    await Promise.all([own.close(), fenced.close()]);
  }

  async #run<T>({ plugin }: Pick<ExtractionJob, 'plugin'>, run: (host: ExtractionHost) => Promise<T>): Promise<T> {
    const { own, fenced, strangers, onStrangerFailure } = this.#init;
    if (!strangers.has(plugin.name)) return run(own);
    try {
      return await run(fenced);
    } catch (error) {
      onStrangerFailure(error);
      throw error;
    }
  }
}
