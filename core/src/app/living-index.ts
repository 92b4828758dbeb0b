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
import type { TakenIn } from '../ingest/refresh/take-in.ts';
import type { WatchState } from '../ingest/watch/watch-sources.ts';
import type { Freshness, IndexState } from '../wire/index.ts';
import { SharedWork } from './shared-work.ts';
import type { LivingWatcher } from './watch-living.ts';

/** What keeping the index up to date needs. */
export interface LivingPorts extends Omit<IngestPorts, 'isolated'> {
  readonly extraction: () => Promise<ExtractionHost | null>;
  /** Whether nothing may be written. */
  readonly readonly: boolean;
}

/** A document as results show it. */
export interface ShownDocument {
  readonly source_id: string;
  readonly doc_path: string;
  readonly freshness: Freshness;
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
  readonly #size: LookSize | undefined;
  #running: SharedWork<IndexState | null> | null = null;
  #lookedAt = -Infinity;
  #watch: WatchState | null = null;
  /** What the last look left. */
  #state: IndexState | null = null;
  /** How far looks in turns have come; null before the first. */
  #turns: LookTurns | null = null;
  /** The last look, where it left places out. */
  #part: LookInTurns | null = null;

  constructor(ports: LivingPorts, size?: LookSize) {
    this.#ports = ports;
    this.#size = size;
  }

  /** From here on a watcher brings the index up to date; null when it has ended. */
  follow(watch: WatchState | null): void {
    this.#watch = watch;
    this.#part = null;
    this.#lookedAt = -Infinity;
  }

  /**
   * Brings the index up to date, unless that was done a moment ago. What is left is the result: null when nothing is, and where a
   * refresh is switched off or cannot be.
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
      return null; // whoever gave up finds out by itself
    }
  }

  /** A look that all who ask meanwhile wait for; one that is given up counts as none. Never throws. */
  async #lookOnce(stop: AbortSignal): Promise<IndexState | null> {
    try {
      this.#state = await this.#look(stop);
      this.#lookedAt = performance.now();
    } catch (error) {
      this.#state = null;
      // Without a database, whoever asked finds out by itself.
      if (!isAbort(error) && !stop.aborted) {
        this.#ports.log.warn('the index was not brought up to date', { cause: String(error) });
        this.#lookedAt = performance.now();
      }
    }
    this.#running = null;
    return this.#state;
  }

  /** A watcher knows whether anything has happened; a change that it reports is looked into at once. */
  async #afterWatch(watch: WatchState): Promise<IndexState | null> {
    const { setImmediate: nextTurn, setTimeout: delay } = await import('node:timers/promises');
    const until = performance.now() + this.#ports.config.search.refreshBudgetMs;
    // What the system reports may wait behind what was just read.
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    while (!watch.isCurrent && performance.now() < until) {
      watch.told.hurry();
      await delay(WATCH_POLL_MS);
    }
    if (watch.isCurrent) return null;
    const hint = 'they are being taken in: search again in a moment';
    return { changed: Math.max(1, watch.told.size), refreshed: 0, reason: 'budget', hint };
  }

  /**
   * Takes in the files of documents that are about to be shown, where the last look left places out and these files are not as they
   * were indexed: what showed them has to be made again then. Null when nothing of it was taken in.
   */
  async takeInShown(
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
      const state = await this.#takeIn(store, looks, signal ?? new AbortController().signal);
      this.#state = withUnlooked(state, part);
      return { index: this.#state };
    } catch (error) {
      if (isAbort(error) || signal?.aborted === true) throw error;
      this.#ports.log.warn('a changed file was not taken in', { cause: String(error) });
      return null;
    }
  }

  async #look(signal: AbortSignal): Promise<IndexState | null> {
    const { documents, config } = this.#ports;
    const store = await documents.read();
    this.#turns ??= new LookTurns(store.location);
    const found = await lookInTurns(store, config, this.#turns, this.#size);
    this.#part = found.unlooked > 0 ? found : null;
    const state = await this.#takeIn(store, found.looks, signal);
    return withUnlooked(state, found);
  }

  async #takeIn(store: DocumentStore, looks: readonly SourceLook[], signal: AbortSignal): Promise<IndexState | null> {
    const { config, log } = this.#ports;
    if (looks.length === 0) return null;
    const { countIn, takeIn } = await import('../ingest/refresh/take-in.ts');
    const { extraction, ...ports } = this.#ports;
    try {
      if (!isWritable(store.location)) {
        const changed = await countIn({ ...ports, isolated: null }, looks, { signal });
        return changed === 0 ? null : { changed, refreshed: 0, reason: 'failed', hint: UNWRITABLE };
      }
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
const UNWRITABLE = 'the folder of the index cannot be written to';
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

/** What was not looked at is not said to be up to date. */
function withUnlooked(state: IndexState | null, { unlooked, total }: LookInTurns): IndexState | null {
  if (unlooked === 0) return state;
  const left = `${unlooked} of ${total} files and folders were not looked at before this`;
  if (state !== null) return { ...state, hint: `${state.hint}; ${left}` };
  return {
    changed: 0,
    refreshed: 0,
    reason: 'budget',
    hint: `${left}: kebab ingest looks at all, kebab watch follows them`,
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
