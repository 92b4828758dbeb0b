import type { Picture } from '../contracts/extractor.ts';
import type {
  CutDocument,
  CutJob,
  EncodedExtraction,
  EncodingJob,
  Extraction,
  ExtractionHost,
  ExtractionJob,
  NamedPlugin,
  RenderJob,
} from './extraction-job.ts';

/** What {@link DividedExtraction} divides the work between. */
export interface DividedExtractionInit {
  /** Runs the plugins that need no fence. */
  readonly own: ExtractionHost;
  /** Makes what runs the others, in processes limited to what these declare; called once for each set of names. */
  readonly fenced: (plugins: readonly string[]) => ExtractionHost;
  /** Names of the plugins that run fenced. */
  readonly fencedPlugins: ReadonlySet<string>;
  /** Called for each failure of theirs; it is thrown as well. */
  readonly onFencedFailure: (error: unknown) => void;
}

/** Keeps fenced extractors and chunkers out of the processes of others, and out of each other's. */
export class DividedExtraction implements ExtractionHost {
  readonly #init: DividedExtractionInit;
  readonly #fenced = new Map<string, ExtractionHost>();

  constructor(init: DividedExtractionInit) {
    this.#init = init;
  }

  get takesTexts(): boolean {
    return this.#init.own.takesTexts ?? false;
  }

  extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    return this.#run([job.plugin, job.chunkerPlugin], (host) => host.extract(job, signal));
  }

  /** What comes out of a fence is looked at before it is written. */
  encode(job: EncodingJob, signal: AbortSignal): Promise<Extraction | EncodedExtraction> {
    return this.#run([job.plugin, job.chunkerPlugin], (host) =>
      host === this.#init.own && host.encode !== undefined ? host.encode(job, signal) : host.extract(job, signal),
    );
  }

  render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    return this.#run([job.plugin], (host) => host.render(job, signal));
  }

  cut(job: CutJob, signal: AbortSignal): Promise<CutDocument> {
    return this.#run([job.chunkerPlugin], (host) => host.cut(job, signal));
  }

  async close(): Promise<void> {
    await Promise.all([this.#init.own, ...this.#fenced.values()].map((host) => host.close()));
  }

  async #run<T>(plugins: readonly NamedPlugin[], run: (host: ExtractionHost) => Promise<T>): Promise<T> {
    const { own, fencedPlugins, onFencedFailure } = this.#init;
    const names = plugins.map(({ name }) => name).filter((name) => fencedPlugins.has(name));
    if (names.length === 0) return run(own);
    try {
      return await run(this.#fencedHost([...new Set(names)].toSorted()));
    } catch (error) {
      onFencedFailure(error);
      throw error;
    }
  }

  #fencedHost(names: readonly string[]): ExtractionHost {
    const key = names.join('\n');
    let host = this.#fenced.get(key);
    if (host === undefined) {
      host = this.#init.fenced(names);
      this.#fenced.set(key, host);
    }
    return host;
  }
}
