import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { LookTurns } from '../documents/look-turns.ts';
import { isAbort } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { IngestPorts } from '../ingest/ingest-context.ts';
import { documentsIn, lookAround, type SourceLook } from '../ingest/refresh/look.ts';
import { lookInTurns, type LookInTurns, type LookSize } from '../ingest/refresh/look-in-turns.ts';
import type { IngestedChanges } from '../ingest/refresh/ingest-changes.ts';
import type { WatchState } from '../ingest/watch/watch-sources.ts';
import type { Freshness, IndexState } from '../wire/index.ts';
import { SharedWork } from './shared-work.ts';
import type { LivingWatcher } from './watch-living.ts';

/** The ports for keeping the index up to date. */
export interface LivingPorts extends Omit<IngestPorts, 'isolated'> {
  readonly extraction: () => Promise<ExtractionHost | null>;
  /** Whether writing is forbidden. */
  readonly readonly: boolean;
}

/** A document in a result. */
export interface ShownDocument {
  readonly source_id: string;
  readonly doc_path: string;
  readonly freshness: Freshness;
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
export class LivingIndex {
  /** The watcher of the App, while it has listeners. */
  watcher: LivingWatcher | null = null;
  readonly #ports: LivingPorts;
  readonly #size: LookSize | undefined;
  #running: SharedWork<IndexState | null> | null = null;
  #lookedAt = -Infinity;
  #watch: WatchState | null = null;
  /** The result of the last check. */
  #state: IndexState | null = null;
  /** The progress of partial checks; null before the first one. */
  #turns: LookTurns | null = null;
  /** The last check, if it was partial. */
  #part: LookInTurns | null = null;

  constructor(ports: LivingPorts, size?: LookSize) {
    this.#ports = ports;
    this.#size = size;
  }

  /** From now on a watcher keeps the index up to date; null when it has ended. */
  follow(watch: WatchState | null): void {
    this.#watch = watch;
    this.#part = null;
    this.#lookedAt = -Infinity;
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
    if (this.#running === null && performance.now() - this.#lookedAt < config.search.refreshAfterMs) return this.#state;
    this.#running ??= new SharedWork('looking for changes', (stop) => this.#lookOnce(stop));
    try {
      return await this.#running.join(signal);
    } catch {
      return null; // the caller that gave up notices by itself
    }
  }

  /** A check shared by all concurrent callers; one that was cancelled does not count. Never throws. */
  async #lookOnce(stop: AbortSignal): Promise<IndexState | null> {
    try {
      this.#state = await this.#look(stop);
      this.#lookedAt = performance.now();
    } catch (error) {
      this.#state = null;
      // Without a database, the caller notices by itself.
      if (!isAbort(error) && !stop.aborted) {
        this.#ports.log.warn('the index was not brought up to date', { cause: String(error) });
        this.#lookedAt = performance.now();
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
      const looks = await lookAround(await documents.read(), config, { only });
      const { countIn } = await import('../ingest/refresh/ingest-changes.ts');
      const { signal } = new AbortController();
      return await countIn({ ...ports, documents, config, isolated: null }, looks, { signal });
    } catch (error) {
      this.#ports.log.warn('changed files were not counted', { cause: String(error) });
      return 0;
    }
  }

  /**
   * Indexes the changed files of documents that are about to be shown, if the last check was partial: the result must then be computed
   * again. Null when nothing was indexed.
   */
  async ingestShown(
    shown: readonly ShownDocument[],
    { signal, refresh = true }: RefreshOptions = {},
  ): Promise<{ readonly index: IndexState | null } | null> {
    const part = this.#part;
    const only = new Map<string, Set<string>>();
    for (const { source_id: sourceId, doc_path: place, freshness } of part !== null && refresh ? shown : [])
      if (freshness !== 'fresh') only.set(sourceId, (only.get(sourceId) ?? new Set()).add(place));
    if (part === null || only.size === 0) return null;
    try {
      const store = await this.#ports.documents.read();
      const looks = await lookAround(store, this.#ports.config, { only });
      if (looks.length === 0) return null;
      const state = await this.#ingestChanges(store, looks, signal ?? new AbortController().signal);
      this.#state = withUnlooked(state, part);
      return { index: this.#state };
    } catch (error) {
      if (isAbort(error) || signal?.aborted === true) throw error;
      this.#ports.log.warn('a changed file was not indexed', { cause: String(error) });
      return null;
    }
  }

  async #look(signal: AbortSignal): Promise<IndexState | null> {
    const { documents, config } = this.#ports;
    const store = await documents.read();
    this.#turns ??= new LookTurns(store.location);
    const found = await lookInTurns(store, config, this.#turns, this.#size);
    this.#part = found.unlooked > 0 ? found : null;
    const state = await this.#ingestChanges(store, found.looks, signal);
    return withUnlooked(state, found);
  }

  async #ingestChanges(
    store: DocumentStore,
    looks: readonly SourceLook[],
    signal: AbortSignal,
  ): Promise<IndexState | null> {
    const { config, log } = this.#ports;
    if (looks.length === 0) return null;
    const { countIn, ingestChanges } = await import('../ingest/refresh/ingest-changes.ts');
    const { extraction, ...ports } = this.#ports;
    try {
      if (!isWritable(store.location)) {
        const changed = await countIn({ ...ports, isolated: null }, looks, { signal });
        return changed === 0 ? null : { changed, refreshed: 0, reason: 'failed', hint: UNWRITABLE };
      }
      const started = performance.now();
      const isolated = await extraction();
      const before = this.watcher === null ? [] : await documentsIn(looks, store);
      const ingested = await ingestChanges({ ...ports, isolated }, looks, {
        signal,
        budgetMs: config.search.refreshBudgetMs,
      });
      const { report, left } = ingested;
      if (report !== null) this.watcher?.noteIngested(report, { left, before, ms: performance.now() - started });
      return stateOf(ingested);
    } catch (error) {
      if (isAbort(error) || signal.aborted) throw error;
      const changed = countChanged(looks);
      if (isKebabError(error, 'locked')) return { changed, refreshed: 0, reason: 'locked', hint: LOCKED };
      log.warn('changed files were not indexed', { cause: String(error) });
      return { changed, refreshed: 0, reason: 'failed', hint: 'kebab ingest says what is wrong' };
    }
  }
}

const WATCH_POLL_MS = 3;
const UNWRITABLE = 'the folder of the index cannot be written to';
const LOCKED = 'another kebab process is writing: search again in a moment';

/** What changed in a directory is not known yet, but something did. */
function countChanged(looks: readonly SourceLook[]): number {
  const files = looks.reduce((sum, look) => sum + look.files.length + look.gone.length, 0);
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
function withUnlooked(state: IndexState | null, { unlooked, total }: LookInTurns): IndexState | null {
  if (unlooked === 0) return state;
  const left = `${unlooked} of ${total} files and folders have not been checked yet`;
  if (state !== null) return { ...state, hint: `${state.hint}; ${left}` };
  return {
    changed: 0,
    refreshed: 0,
    reason: 'budget',
    hint: `${left}: kebab ingest checks all of them, kebab watch reports changes as they happen`,
  };
}

function isWritable(location: string): boolean {
  try {
    accessSync(location === ':memory:' ? '.' : dirname(location), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
