import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { isAbort, withDeadline } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { IngestPorts } from '../ingest/ingest-context.ts';
import {
  type CheckBudget,
  documentsIn,
  findStaleSources,
  type StaleSource,
  type StaleSources,
} from '../ingest/refresh/find-stale-sources.ts';
import type { IngestedChanges } from '../ingest/refresh/ingest-changes.ts';
import type { WatchState } from '../ingest/watch/watch-sources.ts';
import type { IndexState } from '../wire/index.ts';
import type { AppWatcher } from './app-watcher.ts';

/** The ports for keeping the index up to date. */
export interface RefresherPorts extends Omit<IngestPorts, 'isolated'> {
  readonly extraction: () => Promise<ExtractionHost | null>;
  /** Whether writing is forbidden. */
  readonly readonly: boolean;
}

/** A caller's options for a refresh. */
export interface RefreshOptions extends AbortOptions {
  /** False leaves the index as it is. */
  readonly refresh?: boolean | undefined;
}

/**
 * Keeps the index of one App up to date: before a read it checks for changed files, and indexes as many as fit the budget. Never waits for
 * another writer, and never fails the operation that triggered it.
 */
export class IndexRefresher {
  /** The watcher of the App, while it has listeners. */
  watcher: AppWatcher | null = null;
  readonly #ports: RefresherPorts;
  readonly #budget: CheckBudget;
  #running: SharedWork<IndexState | null> | null = null;
  #checkedAt = -Infinity;
  #watch: WatchState | null = null;
  /** The result of the last check. */
  #state: IndexState | null = null;
  #wasLong = false;

  constructor(ports: RefresherPorts, budget: CheckBudget = CHECK_BUDGET) {
    this.#ports = ports;
    this.#budget = budget;
  }

  /** Whether the last check compared many files; a service watches them instead. */
  get wasLong(): boolean {
    return this.#wasLong;
  }

  /** From now on a watcher keeps the index up to date; null when it has ended. */
  follow(watch: WatchState | null): void {
    this.#watch = watch;
    this.#checkedAt = -Infinity;
  }

  /**
   * Brings the index up to date, unless that was done a moment ago. Returns what is left: null when nothing is, and where refreshing is
   * disabled or impossible.
   */
  async refresh({ signal, refresh = true }: RefreshOptions = {}): Promise<IndexState | null> {
    const { config, readonly } = this.#ports;
    if (!refresh || readonly || config.search.refresh === 'off') return null;
    if (this.#watch?.reportsAll === true) return this.#afterWatch(this.#watch);
    while (this.#running?.isGivenUp === true) await this.#running.result;
    if (this.#running === null && performance.now() - this.#checkedAt < config.search.refreshAfterMs)
      return this.#state;
    this.#running ??= new SharedWork('looking for changes', (stop) => this.#checkOnce(stop));
    try {
      return await this.#running.join(signal);
    } catch {
      return null; // the caller that gave up notices by itself
    }
  }

  /** A check shared by all concurrent callers; one that was cancelled does not count. Never throws. */
  async #checkOnce(stop: AbortSignal): Promise<IndexState | null> {
    try {
      this.#state = await this.#check(stop);
      this.#checkedAt = performance.now();
    } catch (error) {
      this.#state = null;
      // Without a database, the caller notices by itself.
      if (!isAbort(error) && !stop.aborted) {
        this.#ports.log.warn('the index was not brought up to date', { cause: String(error) });
        this.#checkedAt = performance.now();
      }
    }
    this.#running = null;
    return this.#state;
  }

  /** A watcher knows whether anything has changed; a reported change is examined at once. */
  async #afterWatch(watch: WatchState): Promise<IndexState | null> {
    const { setImmediate: nextTurn, setTimeout: delay } = await import('node:timers/promises');
    const until = performance.now() + this.#ports.config.search.refreshBudgetMs;
    // Events from the system may be queued behind the current one.
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    while (!watch.isCurrent && performance.now() < until) {
      watch.reported.hurry();
      await delay(WATCH_POLL_MS);
    }
    if (watch.isCurrent) return null;
    const hint = 'they are being indexed: search again in a moment';
    const changed = watch.ingesting + (await this.#countReported(watch.reported.places));
    return { changed: Math.max(1, changed), refreshed: 0, reason: 'budget', hint };
  }

  /** The number of changed files at places that were reported but not checked yet; 0 if the changes may be anywhere. */
  async #countReported(only: WatchState['reported']['places']): Promise<number> {
    const { documents, config, extraction: _, ...ports } = this.#ports;
    if (only === null || only.size === 0) return 0;
    try {
      const { sources } = await findStaleSources(await documents.read(), config, { only });
      const { countIn } = await import('../ingest/refresh/ingest-changes.ts');
      const { signal } = new AbortController();
      return await countIn({ ...ports, documents, config, isolated: null }, sources, { signal });
    } catch (error) {
      this.#ports.log.warn('changed files were not counted', { cause: String(error) });
      return 0;
    }
  }

  async #check(signal: AbortSignal): Promise<IndexState | null> {
    const { documents, config } = this.#ports;
    const store = await documents.read();
    const stale = await findStaleSources(store, config, { budget: this.#budget });
    this.#wasLong = stale.isPartial || stale.checked >= MANY_PLACES;
    const state = await this.#ingestChanges(store, stale.sources, signal);
    return stale.isPartial ? withUnchecked(state, stale) : state;
  }

  async #ingestChanges(
    store: DocumentStore,
    sources: readonly StaleSource[],
    signal: AbortSignal,
  ): Promise<IndexState | null> {
    const { config, log } = this.#ports;
    if (sources.length === 0) return null;
    const { countIn, ingestChanges } = await import('../ingest/refresh/ingest-changes.ts');
    const { extraction, ...ports } = this.#ports;
    try {
      if (!isWritable(store.location)) {
        const changed = await countIn({ ...ports, isolated: null }, sources, { signal });
        return changed === 0 ? null : { changed, refreshed: 0, reason: 'failed', hint: UNWRITABLE };
      }
      const started = performance.now();
      const isolated = await extraction();
      const before = this.watcher === null ? [] : await documentsIn(sources, store);
      const ingested = await ingestChanges({ ...ports, isolated }, sources, {
        signal,
        budgetMs: config.search.refreshBudgetMs,
      });
      const { report, left } = ingested;
      if (report !== null) this.watcher?.noteIngested(report, { left, before, ms: performance.now() - started });
      return stateOf(ingested);
    } catch (error) {
      if (isAbort(error) || signal.aborted) throw error;
      const changed = countChanged(sources);
      if (isKebabError(error, 'locked')) return { changed, refreshed: 0, reason: 'locked', hint: LOCKED };
      // A server has not let a writer in as long as a search may wait.
      if (isKebabError(error, 'cancelled')) return { changed, refreshed: 0, reason: 'budget', hint: HINTS.budget };
      log.warn('changed files were not indexed', { cause: String(error) });
      return { changed, refreshed: 0, reason: 'failed', hint: 'kebab ingest says what is wrong' };
    }
  }
}

/** A search in a large folder waits no longer than in a small one. */
const CHECK_BUDGET = { ms: 150, places: 6000 };
/** Checking so many takes as long as the rest of a search. */
const MANY_PLACES = 5000;
const WATCH_POLL_MS = 3;
const UNWRITABLE = 'the folder of the index cannot be written to';
const LOCKED = 'another kebab process is writing: search again in a moment';

/** What changed in a directory is not known yet, but something did. */
function countChanged(sources: readonly StaleSource[]): number {
  const files = sources.reduce((sum, source) => sum + source.files.length + source.gone.length, 0);
  return Math.max(1, files);
}

const HINTS: Readonly<Record<NonNullable<IngestedChanges['reason']>, string>> = {
  budget: 'kebab ingest',
  mass_delete: 'kebab ingest says which files are gone',
};

function stateOf({ left, reason, report }: IngestedChanges): IndexState | null {
  if (reason === null) return null;
  const refreshed = report === null ? 0 : report.new + report.updated + report.purged;
  return { changed: left, refreshed, reason, hint: HINTS[reason] };
}

/** Does not claim that unchecked places are up to date. */
function withUnchecked(state: IndexState | null, { checked }: StaleSources): IndexState {
  const left = `only the ${checked} files and folders that changed last have been checked`;
  if (state !== null) return { ...state, hint: `${state.hint}; ${left}` };
  return {
    changed: 0,
    refreshed: 0,
    reason: 'budget',
    hint: `${left}: kebab ingest checks all of them, kebab watch reports changes as they happen`,
  };
}

/** A server says itself who may write. */
function isWritable(location: string): boolean {
  if (location.includes('://')) return true;
  try {
    accessSync(location === ':memory:' ? '.' : dirname(location), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Work with several concurrent waiters. Its signal fires when the last of them has given up. */
class SharedWork<T> {
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
