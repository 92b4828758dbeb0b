import type { Picture } from '../contracts/extractor.ts';
import type { Extraction, ExtractionHost, ExtractionJob, RenderJob } from './extraction-job.ts';

/** What {@link DividedExtraction} divides the work between. */
export interface DividedExtractionInit {
  /** Runs the plugins that need no fence. */
  readonly own: ExtractionHost;
  /** Runs the others, in threads limited to what they declare. */
  readonly fenced: ExtractionHost;
  /** Names of the plugins that run fenced. */
  readonly fencedPlugins: ReadonlySet<string>;
  /** Called for each failure of theirs; it is thrown as well. */
  readonly onFencedFailure: (error: unknown) => void;
}

/** Keeps fenced extractors out of the threads of the others. */
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
    const { own, fenced, fencedPlugins, onFencedFailure } = this.#init;
    if (!fencedPlugins.has(plugin.name)) return run(own);
    try {
      return await run(fenced);
    } catch (error) {
      onFencedFailure(error);
      throw error;
    }
  }
}
