/** Work that several callers wait for at once. Its signal fires when the last of them has given up. */
export class SharedWork<T> {
  /** What comes of it, also when nobody waits any more. */
  readonly result: Promise<T>;
  readonly #stop = new AbortController();
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.result = work(this.#stop.signal);
  }

  /** Whether all who waited have given up, so that nobody may join. */
  get isGivenUp(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Waits for the result, or until the caller gives up: then it is undefined. */
  async join(signal?: AbortSignal): Promise<T | undefined> {
    this.#waiting++;
    let leave = (): void => {};
    const left = new Promise<undefined>((resolve) => (leave = () => resolve(undefined)));
    if (signal?.aborted === true) leave();
    else signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([left, this.result]);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (--this.#waiting === 0) this.#stop.abort(signal?.reason);
    }
  }
}
