/** The delay after the last of a few events before they are checked. */
const FEW_MS = 40;
/** The delay after many events at once, such as a branch checkout, and the maximum duration of such a burst. */
const MANY_MS = 250;
const STORM_MS = 5000;
const MANY = 50;
/** With more places than this, all places are checked: the system may have dropped events. */
const TOO_MANY = 500;

/** The reason why the watcher woke up. */
export interface Wakening {
  /** Places where something happened, by source; null for everything. */
  readonly only: ReadonlyMap<string, ReadonlySet<string>> | null;
}

/** Collects reported changes until a check is worthwhile: a few are checked at once, a burst when it is over. */
export class ReportedChanges {
  readonly #reported = new Map<string, Set<string>>();
  #count = 0;
  #everything = false;
  #firstAt = 0;
  #lastAt = 0;
  #isHurried = false;
  #wake: (() => void) | null = null;

  /** Whether a reported change has not been checked yet. */
  get isPending(): boolean {
    return this.#count > 0 || this.#everything;
  }

  /** The places that were reported but not checked yet; null if a change may be anywhere. */
  get places(): Wakening['only'] {
    return this.#everything || this.#count > TOO_MANY ? null : new Map(this.#reported);
  }

  /** Records that something happened at a path of a source, or in the directory of that path. */
  add(sourceId: string, path: string): void {
    const paths = this.#reported.get(sourceId) ?? new Set<string>();
    this.#reported.set(sourceId, paths);
    const now = performance.now();
    if (!this.isPending) this.#firstAt = now;
    this.#lastAt = now;
    if (!paths.has(path)) this.#count++;
    paths.add(path);
    this.#wake?.();
  }

  /** Records that something may have happened anywhere. */
  reportAll(): void {
    if (!this.isPending) this.#firstAt = performance.now();
    this.#lastAt = performance.now();
    this.#everything = true;
    this.#wake?.();
  }

  /** A caller is waiting: reported changes are checked at once. */
  hurry(): void {
    this.#isHurried = true;
    this.#wake?.();
  }

  /** Waits until there is something to check, or until the timeout; null when nothing happened or the signal fired. */
  async next(signal: AbortSignal, timeoutMs: number): Promise<Wakening | null> {
    const until = performance.now() + timeoutMs;
    while (!signal.aborted) {
      const now = performance.now();
      const dueAt = this.isPending ? this.#dueAt() : until;
      if (now >= dueAt) return this.isPending ? this.#take() : null;
      await this.#sleep(dueAt - now, signal);
    }
    return null;
  }

  #dueAt(): number {
    if (this.#isHurried) return 0;
    if (this.#count < MANY) return this.#lastAt + FEW_MS;
    return Math.min(this.#lastAt + MANY_MS, this.#firstAt + STORM_MS);
  }

  #take(): Wakening {
    const only = this.places;
    this.#reported.clear();
    this.#count = 0;
    this.#everything = false;
    this.#isHurried = false;
    return { only };
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      this.#wake = done;
    });
  }
}
