/** How soon after the last of a few events they are looked into. */
const FEW_MS = 40;
/** The same of many at once, as when a branch is checked out, and how long such a storm may go on. */
const MANY_MS = 250;
const STORM_MS = 5000;
const MANY = 50;
/** Beyond so many places all are looked at: the system may have dropped some. */
const TOO_MANY = 500;

/** What woke the watcher up. */
export interface Wakening {
  /** Places that something happened in, by source; null for everything. */
  readonly only: ReadonlyMap<string, ReadonlySet<string>> | null;
}

/** Gathers reported changes until it is worth looking: a few are looked into at once, a storm when it has passed. */
export class ToldChanges {
  readonly #told = new Map<string, Set<string>>();
  #count = 0;
  #everything = false;
  #firstAt = 0;
  #lastAt = 0;
  #isHurried = false;
  #wake: (() => void) | null = null;

  /** Whether something was reported that has not been looked into. */
  get isPending(): boolean {
    return this.#count > 0 || this.#everything;
  }

  /** How many places were reported. */
  get size(): number {
    return this.#count;
  }

  /** Something happened at a path of a source, or in the directory of that path. */
  add(sourceId: string, path: string): void {
    const paths = this.#told.get(sourceId) ?? new Set<string>();
    this.#told.set(sourceId, paths);
    const now = performance.now();
    if (!this.isPending) this.#firstAt = now;
    this.#lastAt = now;
    if (!paths.has(path)) this.#count++;
    paths.add(path);
    this.#wake?.();
  }

  /** Something may have happened anywhere. */
  tellAll(): void {
    if (!this.isPending) this.#firstAt = performance.now();
    this.#lastAt = performance.now();
    this.#everything = true;
    this.#wake?.();
  }

  /** Somebody waits: reported changes are looked into at once. */
  hurry(): void {
    this.#isHurried = true;
    this.#wake?.();
  }

  /** Waits until there is something to look into, or so long; null when nothing came or the signal fired. */
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
    const only = this.#everything || this.#count > TOO_MANY ? null : new Map(this.#told);
    this.#told.clear();
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
