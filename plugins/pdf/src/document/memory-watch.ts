/** What one piece of work on a file may add to the memory of the process, buffers and native memory included. */
const MAX_GROWTH = 1.5 * 1024 ** 3;
const LOOK_EVERY_MS = 100;

/**
 * Looks at the memory of the process while a file is worked on; the heap limit of a thread counts no buffers, and a kilobyte may
 * unpack into gigabytes of them. `signal` fires when too much was added, with an error as its reason. End it with `stop`.
 */
export class MemoryWatch {
  readonly #tooMuch = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(rss: () => number = () => process.memoryUsage.rss()) {
    const before = rss();
    this.#timer = setInterval(() => {
      if (rss() - before > MAX_GROWTH)
        this.#tooMuch.abort(new Error(`it takes more than ${MAX_GROWTH / 1024 ** 2} MB of memory`));
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  get signal(): AbortSignal {
    return this.#tooMuch.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
