import { withDeadline } from '../errors/abort.ts';

/** Work with several concurrent waiters. Its signal fires when the last of them has given up. */
export class SharedWork<T> {
  /** The result, even if every caller has stopped waiting. */
  readonly result: Promise<T>;
  readonly #operation: string;
  readonly #stop = new AbortController();
  #waiting = 0;

  /** `operation` names the work in the message of `cancelled`. */
  constructor(operation: string, work: (signal: AbortSignal) => Promise<T>) {
    this.#operation = operation;
    this.result = work(this.#stop.signal);
  }

  /** Whether every caller has given up, so that no other may join. */
  get isGivenUp(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Waits for the result. Throws what the work threw, and `cancelled` once the caller's signal has fired. */
  async join(signal?: AbortSignal): Promise<T> {
    this.#waiting++;
    try {
      return await withDeadline(() => this.result, { operation: this.#operation, signal });
    } finally {
      if (--this.#waiting === 0) this.#stop.abort();
    }
  }
}
