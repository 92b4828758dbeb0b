import { toErrorV1, type App, type IngestProgress } from '@kebab/core/app';

/** How far an ingest has come; `failure` of one that ended without having indexed. */
export type IndexingState =
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'idle'; readonly failure: string | null };

/** The ingest that the pages begin, of which there is one at a time. */
export class Indexing {
  readonly #use: <T>(run: (app: App) => Promise<T>) => Promise<T>;
  readonly #gone = new AbortController();
  #state: IndexingState = { kind: 'idle', failure: null };
  #run: Promise<void> = Promise.resolve();

  constructor(use: <T>(run: (app: App) => Promise<T>) => Promise<T>) {
    this.#use = use;
  }

  get state(): IndexingState {
    return this.#state;
  }

  /** Begins an ingest unless one is running. */
  begin(): void {
    if (this.#state.kind === 'running') return;
    this.#state = { kind: 'running', done: 0, total: 0 };
    const onProgress = (event: IngestProgress): void => {
      if (event.kind === 'asset_finished') this.#state = { kind: 'running', done: event.idx, total: event.total };
    };
    this.#run = this.#use((app) => app.ingest({ onProgress, signal: this.#gone.signal, omitUnchanged: true })).then(
      () => void (this.#state = { kind: 'idle', failure: null }),
      (error: unknown) => void (this.#state = { kind: 'idle', failure: toErrorV1(error).message }),
    );
  }

  /** Ends what is running. */
  async close(): Promise<void> {
    this.#gone.abort(new DOMException('the server ends', 'AbortError'));
    await this.#run;
  }
}
