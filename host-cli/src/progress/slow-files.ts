import type { IngestProgress } from '@kebab/core/app';

/** A file that took long. */
export interface SlowFile {
  readonly path: string;
  readonly ms: number;
}

const MOST = 5;

/** Notes which files of an ingest took longest. */
export class SlowFiles {
  readonly #paths = new Map<number, string>();
  #slowest: readonly SlowFile[] = [];

  /** At most five files that took over a second, the slowest first. */
  get slowest(): readonly SlowFile[] {
    return this.#slowest;
  }

  onEvent(event: IngestProgress): void {
    if (event.kind === 'asset_started') this.#paths.set(event.idx, event.path);
    if (event.kind !== 'asset_finished') return;
    const path = this.#paths.get(event.idx);
    this.#paths.delete(event.idx);
    if (path === undefined || event.ms === undefined) return;
    this.#slowest = [...this.#slowest, { path, ms: event.ms }].toSorted((a, b) => b.ms - a.ms).slice(0, MOST);
  }
}
