import { EventEmitter, on } from 'node:events';
import type { IngestPorts } from '../ingest/ingest-context.ts';
import { ReportedChanges } from '../ingest/watch/reported-changes.ts';
import type { WatchSystem } from '../ingest/watch/watch-system.ts';
import {
  ingestedEvent,
  isWithoutChange,
  watchSources,
  type RunFacts,
  type WatchOptions,
  type WatchState,
} from '../ingest/watch/watch-sources.ts';
import type { IngestReport, WatchEvent } from '../wire/index.ts';
import type { AppPorts } from './app-ports.ts';

type WatchPorts = Omit<IngestPorts, 'isolated'> & Pick<AppPorts, 'extraction' | 'refresher'>;

/**
 * Watches the folders so that searches of the same App know without checking whether anything has changed. An App has one watcher, however
 * many listeners: it starts with the first of them and ends with the last.
 */
export async function* watchApp(
  ports: WatchPorts,
  { signal, ingestsFirst = false }: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { refresher } = ports;
  const running = refresher.watcher;
  if (ingestsFirst) running?.ingest();
  yield* (running ?? new AppWatcher(ports, ingestsFirst)).listen(signal ?? new AbortController().signal);
}

/** The watcher of an App. */
export class AppWatcher {
  readonly #refresher: WatchPorts['refresher'];
  readonly #state: WatchState;
  /** Emits each `event`, and `end` once. */
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  /** How the folders are watched, for later listeners. */
  #how: WatchEvent | null = null;
  #listening = 0;
  #failure: { readonly error: unknown } | null = null;
  readonly #clock: WatchPorts['clock'];

  constructor({ extraction, refresher, ...ports }: WatchPorts, ingests: boolean, system?: WatchSystem) {
    this.#refresher = refresher;
    this.#clock = ports.clock;
    this.#state = { reported: new ReportedChanges(), ingesting: 0, isCurrent: false, reportsAll: false, ingests };
    refresher.watcher = this;
    refresher.follow(this.#state);
    this.#ended = this.#run(async () => ({ ...ports, isolated: await extraction() }), system);
  }

  /** Notifies listeners of what a search indexed by itself, which the watcher will not find any more. */
  noteIngested(report: IngestReport, run: RunFacts): void {
    if (isWithoutChange(report, run.left)) return;
    this.#events.emit('event', ingestedEvent(report, run, this.#clock));
  }

  /** Ingests everything, as before the first event. */
  ingest(): void {
    this.#state.ingests = true;
    this.#state.reported.reportAll();
  }

  /** The events from now on, until the signal fires or the watcher ends. */
  async *listen(signal: AbortSignal): AsyncGenerator<WatchEvent, void, undefined> {
    const events = on(this.#events, 'event', { close: ['end'] }) as AsyncIterableIterator<[WatchEvent]>;
    const leave = (): void => void events.return?.();
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    this.#listening++;
    try {
      if (this.#how !== null) yield this.#how;
      for await (const [event] of events) yield event;
      if (this.#failure !== null) throw this.#failure.error;
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
      if (--this.#listening === 0) await this.#end();
    }
  }

  async #run(open: () => Promise<IngestPorts>, system: WatchSystem | undefined): Promise<void> {
    try {
      for await (const event of watchSources(await open(), this.#state, { signal: this.#stop.signal, system })) {
        if (event.kind === 'watching') this.#how = event;
        this.#events.emit('event', event);
      }
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#events.emit('end');
      this.#leaveApp();
    }
  }

  #end(): Promise<void> {
    this.#leaveApp();
    this.#stop.abort();
    return this.#ended;
  }

  /** From now on searches check by themselves, unless the next watcher has already started. */
  #leaveApp(): void {
    if (this.#refresher.watcher !== this) return;
    this.#refresher.watcher = null;
    this.#refresher.follow(null);
  }
}
