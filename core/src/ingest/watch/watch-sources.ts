import { setTimeout as sleep } from 'node:timers/promises';
import type { DocumentStore } from '../../contracts/document-store.ts';
import { EXTERNAL, hasMoved, indexedSources } from '../../documents/source-roots.ts';
import { countedFingerprint } from '../../embedding/open-embedding.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { identityOf } from '../../files/read-regular-file.ts';
import type { IngestReport, WatchEvent } from '../../wire/index.ts';
import { toErrorV1 } from '../../wire/to-error.ts';
import type { IngestPorts } from '../ingest-context.ts';
import { ingestFolder } from '../ingest-folder.ts';
import { performIngest } from '../perform-ingest.ts';
import { documentsIn, findStaleSources, type StaleSource } from '../refresh/find-stale-sources.ts';
import { ingestChanges } from '../refresh/ingest-changes.ts';
import { FolderWatchers } from './folder-watchers.ts';
import { THIS_MACHINE, type WatchSystem } from './watch-system.ts';
import type { ReportedChanges, Wakening } from './reported-changes.ts';

/** How to watch the folders. */
export interface WatchOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether to start with a complete ingest, like `kebab ingest`; otherwise with the changes since the last ingest. */
  readonly ingestsFirst?: boolean | undefined;
}

/** The state of a watcher, for others. */
export interface WatchState {
  /** Whether the system reports every change, so that silence means that there was none. */
  reportsAll: boolean;
  /** Whether every known change is in the index. */
  isCurrent: boolean;
  readonly reported: ReportedChanges;
  /** The number of files being ingested that are not in the index yet. */
  ingesting: number;
  /** Whether the next step is a complete ingest, like `kebab ingest`. */
  ingests: boolean;
}

/** An event without the members that all events have. */
type Bare<E> = E extends unknown ? Omit<E, 'schema_version' | 'ts'> : never;

/** If the clocks diverge by this much, one of them was set, or the machine was asleep: events may be lost. */
const JUMP_MS = 5000;
/** The interval of complete checks, regardless of events. */
const LOOK_ANYWAY_MS = 600_000;
/** The share of time for polling, as a divisor. */
const POLL_SHARE = 200;
const MAX_POLL_MS = 60_000;
const LOCKED_RETRY_MS = 300;
const NO_DATABASE_MS = 2000;
/** The duration of one slice of embedding. */
const EMBED_SLICE_MS = 10_000;

/**
 * Watches the folders of all sources and ingests changes until the signal fires. What cannot be done is retried later: while another
 * process is writing, the disk is full, or the database is missing. Ends by itself, after `replaced`, when the database file was replaced:
 * everything then has to be reopened.
 */
export async function* watchSources(
  ports: IngestPorts,
  state: WatchState,
  { signal, system = THIS_MACHINE }: { readonly signal: AbortSignal; readonly system?: WatchSystem | undefined },
): AsyncGenerator<WatchEvent, void, undefined> {
  const watch = new Watch(ports, state, { signal, system });
  try {
    yield* watch.events();
  } finally {
    watch.close();
  }
}

class Watch {
  readonly #ports: IngestPorts;
  readonly #state: WatchState;
  readonly #signal: AbortSignal;
  readonly #system: WatchSystem;
  readonly #folders = new Map<string, { readonly sourceId: string; readonly path: string }>();
  readonly #watchers: FolderWatchers;
  /** The members of {@link #folders} that are roots of sources. */
  #roots: readonly string[] = [];
  #lookMs = 0;
  #saidHow = '';
  /** When to compute vectors next; infinite when none are missing. */
  #embedAt: number;

  constructor(
    ports: IngestPorts,
    state: WatchState,
    { signal, system }: { readonly signal: AbortSignal; readonly system: WatchSystem },
  ) {
    this.#ports = ports;
    this.#state = state;
    this.#signal = signal;
    this.#system = system;
    this.#embedAt = performance.now() + system.quietMs;
    this.#watchers = new FolderWatchers((directory, name) => {
      const place = this.#folders.get(directory);
      if (place === undefined) return;
      this.#state.isCurrent = false;
      state.reported.add(place.sourceId, place.path);
      if (name !== null) state.reported.add(place.sourceId, joined(place.path, name.normalize('NFC')));
    }, system);
  }

  close(): void {
    this.#watchers.close();
  }

  async *events(): AsyncGenerator<WatchEvent, void, undefined> {
    const { reported } = this.#state;
    const store = yield* this.#openStore();
    if (store === null) return;
    const identity = identityOf(store.location);
    if (this.#state.ingests) yield* this.#ingestAll();
    if (this.#signal.aborted) return;
    yield* this.#follow(store); // before the first check, which finds what happened until then
    reported.reportAll();
    let clocks = this.#clocks();
    let lookedAt = -Infinity;
    while (!this.#signal.aborted) {
      if (this.#state.ingests) yield* this.#ingestAll();
      const woken = await reported.next(this.#signal, this.#maxIdleMs());
      if (this.#signal.aborted) return;
      if (identityOf(store.location) !== identity) {
        yield this.#event({ kind: 'replaced', database: store.location });
        return;
      }
      const now = this.#clocks();
      const isLate = Math.abs(now.wall - clocks.wall - (now.mono - clocks.mono)) > JUMP_MS;
      clocks = now;
      const isDue = this.#polls || isLate || now.mono - lookedAt > LOOK_ANYWAY_MS;
      if (woken === null && now.mono >= this.#embedAt) yield* this.#embed();
      if (woken === null && !isDue) continue;
      if (woken === null || woken.only === null) lookedAt = now.mono;
      yield* this.#bringUpToDate(store, woken ?? { only: null });
    }
  }

  /** Without a database there is nothing to watch: waits for one, unless a complete ingest comes first, which creates it. */
  async *#openStore(): AsyncGenerator<WatchEvent, DocumentStore | null, undefined> {
    let isSaid = false;
    for (;;) {
      if (this.#signal.aborted) return null;
      try {
        return await (this.#state.ingests ? this.#ports.documents.write() : this.#ports.documents.read());
      } catch (error) {
        if (!isKebabError(error, 'not_indexed') && !isKebabError(error, 'locked')) throw error;
        if (!isSaid) yield this.#event({ kind: 'waiting', reason: 'no_database', hint: 'kebab ingest' });
        isSaid = true;
        await this.#state.reported.next(this.#signal, NO_DATABASE_MS);
      }
    }
  }

  async *#ingestAll(): AsyncGenerator<WatchEvent, void, undefined> {
    this.#state.ingests = false;
    yield* this.#untilDone(async () => {
      const started = performance.now();
      const report = await ingestFolder(this.#ports, { signal: this.#signal });
      return [ingestedEvent(report, { left: 0, before: [], ms: performance.now() - started }, this.#ports.clock)];
    });
  }

  /** Checks the reported places, ingests the differences, and watches the current directories. */
  async *#bringUpToDate(store: DocumentStore, woken: Wakening): AsyncGenerator<WatchEvent, void, undefined> {
    const { reported } = this.#state;
    const started = performance.now();
    const find = async (): Promise<readonly StaleSource[]> =>
      (await findStaleSources(store, this.#ports.config, { only: woken.only ?? undefined })).sources;
    const stale = await find();
    if (woken.only === null) this.#lookMs = performance.now() - started;
    if (stale.length > 0) {
      let found: typeof stale | null = stale;
      yield* this.#untilDone(async () => {
        const sources = found ?? (await find());
        found = null; // more may have changed by the next attempt
        const before = await documentsIn(sources, store);
        const onRemaining = (files: number): void => void (this.#state.ingesting = files);
        const { report, left } = await ingestChanges(this.#ports, sources, {
          signal: this.#signal,
          budgetMs: null,
          onRemaining,
        });
        if (report === null || isWithoutChange(report, left)) return [];
        return [ingestedEvent(report, { left, before, ms: performance.now() - started }, this.#ports.clock)];
      });
      this.#state.ingesting = 0;
      this.#embedAt = performance.now() + this.#system.quietMs;
    }
    const mayHaveOthers = stale.some(({ directories, hasOtherRules }) => directories.length > 0 || hasOtherRules);
    if (mayHaveOthers || woken.only === null || this.#hasLostRoot) yield* this.#follow(store);
    if (!reported.isPending) this.#state.isCurrent = true;
  }

  async *#follow(store: DocumentStore): AsyncGenerator<WatchEvent, void, undefined> {
    const isFirst = this.#folders.size === 0;
    const roots: string[] = [];
    this.#folders.clear();
    for (const source of (await indexedSources(this.#ports.config, store)).values()) {
      if (source.connector !== 'fs' || source.id === EXTERNAL || hasMoved(source)) continue;
      this.#watchers.checkPlace(source.root);
      roots.push(joined(source.root, ''));
      for (const { kind, path } of await store.seenPlaces(source.id, { paths: [], inside: [] }))
        if (kind === 'directory') this.#folders.set(joined(source.root, path), { sourceId: source.id, path });
    }
    // A further check finds what happened in a directory between its discovery and its watch.
    for (const directory of this.#watchers.follow([...this.#folders.keys()])) {
      const place = this.#folders.get(directory);
      if (place !== undefined && !isFirst) this.#state.reported.add(place.sourceId, place.path);
    }
    if (isFirst && this.#folders.size > 0) this.#state.reported.reportAll();
    const { state } = this.#watchers;
    this.#roots = roots.filter((root) => this.#folders.has(root));
    // A folder that another process is about to ingest for the first time is not followed yet.
    this.#state.reportsAll = !this.#polls && !isFirst && this.#roots.length === roots.length;
    if (this.#saidHow === state.how) return;
    this.#saidHow = state.how;
    yield this.#event({ kind: 'watching', how: state.how, directories: this.#folders.size, ...explained(state) });
  }

  /** Embeds documents when there is nothing else to do, some at a time. */
  async *#embed(): AsyncGenerator<WatchEvent, void, undefined> {
    this.#embedAt = Infinity;
    if (!(await this.#lacksVectors())) return; // the model is not loaded just to find that out
    try {
      const report = await performIngest(this.#ports, {
        options: { signal: AbortSignal.any([this.#signal, AbortSignal.timeout(EMBED_SLICE_MS)]), summaryOnly: true },
        open: async () => [],
        changes: new Map(),
      });
      if (report.aborted && report.embeddings_pending > 0) this.#embedAt = performance.now();
      for (const { reason: why, hint } of report.degraded) yield this.#event({ kind: 'degraded', reason: why, hint });
      if (report.degraded.length === 0) yield this.#event({ kind: 'embedded', pending: report.embeddings_pending });
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#embedAt = performance.now() + this.#system.retryMs;
      if (!isKebabError(error, 'locked')) yield this.#failed(error);
    }
  }

  async #lacksVectors(): Promise<boolean> {
    const { provider, model } = this.#ports.config.models.embedding;
    if (provider === 'none') return false;
    const { vectors } = await this.#ports.documents.read();
    return (await vectors.countDocumentsWithout(await countedFingerprint(vectors, { model, known: null }))) > 0;
  }

  /** Retries until it succeeds; an obstacle is reported once. */
  async *#untilDone(work: () => Promise<readonly WatchEvent[]>): AsyncGenerator<WatchEvent, void, undefined> {
    let said = '';
    for (;;) {
      try {
        yield* await work();
        return;
      } catch (error) {
        if (this.#signal.aborted) return;
        const event = this.#failed(error);
        const what = event.kind === 'waiting' ? event.reason : 'error';
        if (what !== said) yield event;
        said = what;
        const retryMs = what === 'locked' ? LOCKED_RETRY_MS : this.#system.retryMs;
        await sleep(retryMs, undefined, { signal: this.#signal }).catch(() => {}); // the loop condition checks whether it fired
        if (this.#signal.aborted || what === 'error') return;
      }
    }
  }

  #failed(error: unknown): WatchEvent {
    if (isKebabError(error, 'locked'))
      return this.#event({ kind: 'waiting', reason: 'locked', hint: 'another kebab process is writing' });
    if (isKebabError(error, 'io_error') && /ENOSPC|EDQUOT|SQLITE_(?:FULL|IOERR_SHMSIZE)/.test(error.details.kind))
      return this.#event({
        kind: 'waiting',
        reason: 'disk_full',
        hint: 'free some disk space; changes are indexed once there is enough',
      });
    return this.#event({ kind: 'error', error: toErrorV1(error, { operation: 'watch' }) });
  }

  #event(event: Bare<WatchEvent>): WatchEvent {
    return eventAt(this.#ports.clock, event);
  }

  /** Whether there may be changes that the system does not report. */
  get #polls(): boolean {
    return this.#watchers.state.how === 'polling' || this.#hasLostRoot;
  }

  /** Whether the root of a source has disappeared. Directories above it are not watched, so nothing would report its return. */
  get #hasLostRoot(): boolean {
    return this.#roots.some((root) => !this.#watchers.isWatching(root));
  }

  #clocks(): { readonly wall: number; readonly mono: number } {
    return { wall: this.#ports.clock.now().getTime(), mono: performance.now() };
  }

  /** How long to wait without events before acting anyway. */
  #maxIdleMs(): number {
    const untilEmbedding = Math.max(0, this.#embedAt - performance.now());
    const pollMs = Math.min(MAX_POLL_MS, Math.max(this.#system.minPollMs, this.#lookMs * POLL_SHARE));
    return Math.min(untilEmbedding, this.#polls ? pollMs : this.#system.idleMs);
  }
}

/**
 * Whether files were only read again without a difference, for example because they changed just when they were checked: listeners are not
 * notified of that.
 */
export function isWithoutChange({ new: added, updated, purged, errors }: IngestReport, left: number): boolean {
  return added + updated + purged + errors + left === 0;
}

/** The event for listeners about what a run ingested. */
export function ingestedEvent(
  report: IngestReport,
  { left, before, ms }: RunFacts,
  clock: IngestPorts['clock'],
): WatchEvent {
  const documents = (report.items ?? []).filter(({ kind }) => CHANGES.has(kind));
  const ids = new Set([...before, ...documents.flatMap(({ doc_id }) => (doc_id === null ? [] : [doc_id]))]);
  return eventAt(clock, {
    kind: 'ingested',
    new: report.new,
    updated: report.updated,
    purged: report.purged,
    errors: report.errors,
    left,
    ms: Math.round(ms),
    paths: documents.slice(0, MAX_LISTED).map(({ source_id, doc_path }) => ({ source_id, doc_path })),
    doc_ids: [...ids].slice(0, 2 * MAX_LISTED),
  });
}

function eventAt(clock: IngestPorts['clock'], event: Bare<WatchEvent>): WatchEvent {
  return { schema_version: 'watch_event.v1', ts: clock.now().toISOString(), ...event };
}

/** Facts about a run besides its report. */
export interface RunFacts {
  readonly left: number;
  /** Documents of the files that were read again, as they were before: an edited document gets another id. */
  readonly before: readonly string[];
  readonly ms: number;
}

const CHANGES: ReadonlySet<string> = new Set(['new', 'updated', 'purged', 'error']);
const MAX_LISTED = 100;

function explained(state: FolderWatchers['state']): { readonly reason?: string; readonly hint?: string } {
  return state.how === 'polling' ? { reason: state.why, hint: state.remedy } : {};
}

function joined(folder: string, path: string): string {
  return folder === '' ? path : path === '' ? folder : `${folder}/${path}`;
}
