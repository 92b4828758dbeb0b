import type { Searcher, SearchPorts } from '../search/search-documents.ts';

/** The searcher of one App, whose code is loaded with the first search. */
export class LazySearcher {
  readonly #ports: SearchPorts;
  #opened: Promise<Searcher> | undefined;

  constructor(ports: SearchPorts) {
    this.#ports = ports;
  }

  /** Whether there was a search. */
  get isOpened(): boolean {
    return this.#opened !== undefined;
  }

  /** The searcher, the same one every time. */
  open(): Promise<Searcher> {
    return (this.#opened ??= this.#load());
  }

  async #load(): Promise<Searcher> {
    const { openSearcher } = await import('../search/search-documents.ts');
    return openSearcher(this.#ports);
  }
}
