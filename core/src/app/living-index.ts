import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { AbortOptions } from '../contracts/contribution.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { IngestPorts } from '../ingest/ingest-context.ts';
import { documentsIn, lookAround, type SourceLook } from '../ingest/refresh/look.ts';
import type { TakenIn } from '../ingest/refresh/take-in.ts';
import type { WatchState } from '../ingest/watch/watch-sources.ts';
import type { IndexState } from '../wire/index.ts';
import type { LivingWatcher } from './watch-living.ts';

/** What keeping the index up to date needs. */
export interface LivingPorts extends Omit<IngestPorts, 'isolated'> {
  readonly extraction: () => Promise<ExtractionHost | null>;
  /** Whether nothing may be written. */
  readonly readonly: boolean;
}

/** What a caller says of its refresh. */
export interface RefreshOptions extends AbortOptions {
  /** False leaves the index as it is. */
  readonly refresh?: boolean | undefined;
}

/**
 * Keeps the index of one App up to date: before something is read it looks whether files have changed, and takes in what fits the
 * budget. Never waits for another writer, and never fails what it was done for.
 */
export class LivingIndex {
  /** The one watcher of the App, while anybody listens to it. */
  watcher: LivingWatcher | null = null;
  readonly #ports: LivingPorts;
  #running: Promise<IndexState | null> | null = null;
  #lookedAt = -Infinity;
  #watch: WatchState | null = null;
  /** What the last look left. */
  #state: IndexState | null = null;

  constructor(ports: LivingPorts) {
    this.#ports = ports;
  }

  /** From here on a watcher brings the index up to date; null when it has ended. */
  follow(watch: WatchState | null): void {
    this.#watch = watch;
    this.#lookedAt = -Infinity;
  }

  /**
   * Brings the index up to date, unless that was done a moment ago. What is left is the result: null when nothing is, and where a
   * refresh is switched off or cannot be.
   */
  async refresh({ signal, refresh = true }: RefreshOptions = {}): Promise<IndexState | null> {
    const { config, readonly, log } = this.#ports;
    if (!refresh || readonly || config.search.refresh === 'off') return null;
    if (this.#watch?.tells === true) return this.#afterWatch(this.#watch);
    if (this.#running !== null) return this.#running;
    if (performance.now() - this.#lookedAt < config.search.refreshAfterMs) return this.#state;
    this.#running = this.#look(signal ?? new AbortController().signal).catch((error: unknown) => {
      // Without a database, or in the middle of a cancellation, whoever asked finds out by itself.
      if (!isAbort(error) && signal?.aborted !== true)
        log.warn('the index was not brought up to date', { cause: String(error) });
      return null;
    });
    this.#state = await this.#running.finally(() => (this.#running = null));
    this.#lookedAt = performance.now();
    return this.#state;
  }

  /** A watcher knows whether anything has happened; what it is told of is looked into at once. */
  async #afterWatch(watch: WatchState): Promise<IndexState | null> {
    const { setImmediate: nextTurn, setTimeout: delay } = await import('node:timers/promises');
    const until = performance.now() + this.#ports.config.search.refreshBudgetMs;
    // What the system tells of may wait behind what was just read.
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    while (!watch.isCurrent && performance.now() < until) {
      watch.told.hurry();
      await delay(WATCH_POLL_MS);
    }
    if (watch.isCurrent) return null;
    const hint = 'they are being taken in: search again in a moment';
    return { changed: Math.max(1, watch.told.size), refreshed: 0, reason: 'budget', hint };
  }

  async #look(signal: AbortSignal): Promise<IndexState | null> {
    const { documents, config, log } = this.#ports;
    const store = await documents.read();
    const looks = await lookAround(store, config);
    if (looks.length === 0 || !isWritable(store.location)) return null;
    const { takeIn } = await import('../ingest/refresh/take-in.ts');
    const { extraction, ...ports } = this.#ports;
    try {
      const started = performance.now();
      const isolated = await extraction();
      const before = this.watcher === null ? [] : await documentsIn(looks, store);
      const taken = await takeIn({ ...ports, isolated }, looks, { signal, budgetMs: config.search.refreshBudgetMs });
      const { report, left } = taken;
      if (report !== null) this.watcher?.tookIn(report, { left, before, ms: performance.now() - started });
      return stateOf(taken);
    } catch (error) {
      if (isAbort(error) || signal.aborted) throw error;
      const changed = countChanged(looks);
      if (isKebabError(error, 'locked')) return { changed, refreshed: 0, reason: 'locked', hint: LOCKED };
      log.warn('changed files were not taken in', { cause: String(error) });
      return { changed, refreshed: 0, reason: 'failed', hint: 'kebab ingest says what is wrong' };
    }
  }
}

const WATCH_POLL_MS = 3;
const LOCKED = 'another kebab process is writing: search again in a moment';

/** Of directories it is not known yet what changed in them: something did. */
function countChanged(looks: readonly SourceLook[]): number {
  const files = looks.reduce((sum, look) => sum + look.files.length + look.gone.length, 0);
  return Math.max(1, files);
}

const HINTS: Readonly<Record<NonNullable<TakenIn['reason']>, string>> = {
  budget: 'kebab ingest',
  mass_delete: 'kebab ingest says which files are gone',
};

function stateOf({ left, reason, report }: TakenIn): IndexState | null {
  if (reason === null) return null;
  const refreshed = report === null ? 0 : report.new + report.updated + report.purged;
  return { changed: left, refreshed, reason, hint: HINTS[reason] };
}

function isWritable(location: string): boolean {
  try {
    accessSync(location === ':memory:' ? '.' : dirname(location), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
