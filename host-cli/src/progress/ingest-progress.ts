import type { IngestProgress } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import type { Printer } from '../io/printer.ts';
import { counted, durationText } from '../screen/shown-values.ts';
import { fitEnd, fitStart, textWidth } from '../screen/text-width.ts';
import { DrawnLine } from './drawn-line.ts';

/** Receives the events of an ingest. */
export interface Progress {
  readonly onEvent: (event: IngestProgress) => void;
  /** Erases the line; later events show nothing. */
  readonly end: () => void;
}

const NO_PROGRESS: Progress = { onEvent: () => undefined, end: () => undefined };

/** Shows the progress of a run according to flags, environment and terminal. With `--json` events are printed if `eventsInOutput`. */
export function startProgress(
  context: CommandContext,
  { eventsInOutput }: { readonly eventsInOutput: boolean } = { eventsInOutput: false },
): Progress {
  const style = progressStyle(context);
  switch (style) {
    case 'none':
      return NO_PROGRESS;
    case 'json':
      return eventsInOutput ? { onEvent: (event) => context.printJson(event), end: () => undefined } : NO_PROGRESS;
    case 'line':
      return progressLine(context.io.stderr);
    case 'plain':
      return plainProgress(context.io.stderr);
    default:
      return style satisfies never;
  }
}

/** How progress is shown, according to flags, environment and terminal. */
export function progressStyle(context: CommandContext): 'none' | 'json' | 'line' | 'plain' {
  if (context.quiet) return 'none';
  if (context.json) return 'json';
  if (context.variable('KEBAB_PROGRESS') === 'plain') return 'plain';
  return context.io.stderr.isTerminal && !isSet(context.variable('CI')) ? 'line' : 'none';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

const TICK_MS = 500;

/** Progress as one line on a terminal, which is also updated during a slow file. */
export function progressLine(output: Printer, now: () => number = () => performance.now()): Progress {
  const line = new DrawnLine(output, now);
  let state = NOT_STARTED;
  let ended = false;
  const draw = (): void => line.draw((columns) => renderProgress(state, columns));
  const ticking = setInterval(() => {
    if (state === NOT_STARTED || ended) return;
    state = { ...state, at: now() };
    draw();
  }, TICK_MS).unref();
  return {
    onEvent: (event) => {
      state = advance(state, event, now());
      if (!ended) draw();
    },
    end: () => {
      clearInterval(ticking);
      line.erase();
      ended = true;
    },
  };
}

const PLAIN_EVERY_MS = 2000;
const PLAIN_STEPS = 10;
/** Events of a model at work, whose lines say what it does. */
const MODEL_EVENTS: ReadonlySet<IngestProgress['kind']> = new Set(['asset_stage', 'embed_batch_finished']);
const PLAIN_EVENTS: ReadonlySet<IngestProgress['kind']> = new Set([
  'scan_completed',
  'asset_finished',
  ...MODEL_EVENTS,
]);

/** Progress as permanent lines: one every two seconds or tenth of the files, whichever comes first. */
export function plainProgress(output: Printer, now: () => number = () => performance.now()): Progress {
  let state = NOT_STARTED;
  let last = { at: now(), step: 0 };
  return {
    onEvent: (event) => {
      const at = now();
      state = advance(state, event, at);
      if (!PLAIN_EVENTS.has(event.kind)) return;
      const step = stepOf(state);
      if (event.kind !== 'scan_completed' && step === last.step && at - last.at < PLAIN_EVERY_MS) return;
      last = { at, step };
      const activity = MODEL_EVENTS.has(event.kind) && state.kind === 'working' ? `  ${state.activity}` : '';
      output.line(`${plainLine(state)}${activity}`);
    },
    end: () => undefined,
  };
}

/** How many tenths are done. */
function stepOf(state: ProgressState): number {
  return state.kind === 'working' ? Math.floor((state.done * PLAIN_STEPS) / Math.max(1, state.total)) : 0;
}

function plainLine(state: ProgressState): string {
  if (state.kind === 'scanning') return 'scanning';
  const percent = Math.floor((state.done * 100) / Math.max(1, state.total));
  return `${state.done}/${state.total} files (${percent} %)`;
}

/** A file that took long. */
export interface SlowFile {
  readonly path: string;
  readonly ms: number;
}

const MAX_SLOW_FILES = 5;

/** Collects the files of an ingest that took longest. */
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
    this.#slowest = [...this.#slowest, { path, ms: event.ms }].toSorted((a, b) => b.ms - a.ms).slice(0, MAX_SLOW_FILES);
  }
}

/** A file that was started and is not finished. */
interface FileInHand {
  readonly path: string;
  /** When it was started. */
  readonly since: number;
  /** The model stage: `ocr page 4 (3 of 12)`; empty if there is none. */
  readonly stage: string;
}

/** The state of an ingest. Times are in milliseconds of one clock; `startedAt` is the start of the run. */
export type ProgressState =
  | { readonly kind: 'scanning'; readonly root: string; readonly startedAt: number; readonly at: number }
  | {
      readonly kind: 'working';
      readonly total: number;
      readonly done: number;
      /** Files that are new or may have changed; the others need not be read. */
      readonly toRead: number;
      /** Files of these that are done. */
      readonly read: number;
      readonly failed: number;
      /** The path of the file started last, or the current activity. */
      readonly activity: string;
      /** Passages embedded by this run; null before it embeds. */
      readonly passages: number | null;
      /** Files in progress by number, in the order in which they started. */
      readonly inHand: ReadonlyMap<number, FileInHand>;
      readonly startedAt: number;
      /** Start of the work that the rate refers to. */
      readonly workingSince: number;
      readonly at: number;
    };

/** Nothing has been reported yet. */
export const NOT_STARTED: ProgressState = { kind: 'scanning', root: '', startedAt: NaN, at: NaN };

/** The state after an event at time `at`. */
export function advance(state: ProgressState, event: IngestProgress, at: number): ProgressState {
  const startedAt = Number.isNaN(state.startedAt) ? at : state.startedAt;
  if (event.kind === 'scan_started') return { kind: 'scanning', root: event.root, startedAt, at };
  if (event.kind === 'scan_completed')
    return {
      kind: 'working',
      total: event.total,
      done: 0,
      toRead: event.to_read ?? event.total,
      read: 0,
      failed: 0,
      activity: '',
      passages: null,
      inHand: new Map(),
      startedAt,
      workingSince: at,
      at,
    };
  return state.kind === 'working' ? advanceWork(state, event, at) : state;
}

type Working = Extract<ProgressState, { readonly kind: 'working' }>;

function advanceWork(
  state: Working,
  event: Exclude<IngestProgress, { readonly kind: 'scan_started' | 'scan_completed' }>,
  at: number,
): Working {
  switch (event.kind) {
    case 'asset_started': {
      const { idx, total, path } = event;
      const inHand = new Map([...state.inHand, [idx, { path, since: at, stage: '' }] as const]);
      return { ...state, total, activity: path, inHand, at };
    }
    case 'asset_stage': {
      const stage = stageText(event);
      const file = state.inHand.get(event.idx);
      if (file === undefined) return { ...state, activity: stage, at };
      const inHand = new Map([...state.inHand, [event.idx, { ...file, stage }] as const]);
      return { ...state, activity: `${file.path}: ${stage}`, inHand, at };
    }
    case 'asset_finished':
      return finished(state, event, at);
    case 'embed_batch_started':
    case 'embed_batch_finished':
      return embedding(state, event, at);
    case 'completed':
    case 'aborted':
      return { ...state, at };
    default:
      return event satisfies never;
  }
}

/** The work of a model on a file: `ocr page 4 (3 of 12)`. */
function stageText({ stage, page, done, total }: Extract<IngestProgress, { readonly kind: 'asset_stage' }>): string {
  const place = page === undefined ? stage : `${stage} page ${page}`;
  return done === undefined || total === undefined || total === 1 ? place : `${place} (${done + 1} of ${total})`;
}

function finished(
  state: Working,
  { idx, total, result }: Extract<IngestProgress, { readonly kind: 'asset_finished' }>,
  at: number,
): Working {
  const inHand = new Map(state.inHand);
  inHand.delete(idx);
  const read = state.read + (result === 'unchanged' ? 0 : 1);
  const failed = state.failed + (result === 'error' ? 1 : 0);
  return { ...state, done: state.done + 1, read, failed, total, inHand, at };
}

/** Embedding is a separate phase: count and rate start again. Passages are counted too, because documents are finished in groups. */
function embedding(
  state: Working,
  event: Extract<IngestProgress, { readonly kind: 'embed_batch_started' | 'embed_batch_finished' }>,
  at: number,
): Working {
  const { done, total } = event;
  const passages = (state.passages ?? 0) + (event.kind === 'embed_batch_finished' ? event.n_chunks : 0);
  const activity = passages === 0 ? 'embedding' : `embedding: ${counted(passages, 'passage')}`;
  if (done === undefined || total === undefined) return { ...state, passages, activity, at };
  const workingSince = state.passages === null ? at : state.workingSince;
  return { ...state, total, done, toRead: total, read: done, passages, activity, inHand: new Map(), workingSince, at };
}

const BAR_COLUMNS = 10;
const MIN_READ_FOR_RATE = 3;
/** A shorter part of a path is not useful. */
const MIN_PATH_COLUMNS = 8;
/** A file that delays the run is more useful than an estimate of the remaining time. */
const MIN_SLOW_COLUMNS = 24;
const SLOW_MS = 1000;

/** Renders the state in one line of at most `columns`: bar, counts, time, rate, remaining time, failures, the file. */
export function renderProgress(state: ProgressState, columns: number): string {
  const elapsed = secondsText(state.at - state.startedAt);
  if (state.kind === 'scanning') return fitStart(joined(['scanning', state.root], ' ', elapsed), columns);
  const { total, done, failed } = state;
  const counts = `${bar(done, total)} ${String(done).padStart(String(total).length)}/${total}`;
  const [rate, left] = paceOf(state);
  const failures = failed === 0 ? '' : `${failed} failed`;
  const { name, since } = activityOf(state);
  const whole = joined([counts, elapsed, rate, left, failures], '  ');
  const isTight = since !== '' && columns - textWidth(whole) < MIN_SLOW_COLUMNS;
  const line = isTight ? joined([counts, elapsed, rate, failures], '  ') : whole;
  const room = columns - textWidth(line) - textWidth(since) - 2;
  if (name === '' || room < MIN_PATH_COLUMNS) return fitStart(line, columns);
  return `${line}  ${fitEnd(name, room)}${since}`;
}

function joined(parts: readonly string[], between: string, last = ''): string {
  const line = parts.filter((part) => part !== '').join(between);
  return last === '' ? line : `${line}  ${last}`;
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR_COLUMNS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}`;
}

/** The file that delays the others, with its duration; if there is none, the file started last. */
function activityOf({ activity, inHand, at }: Working): { readonly name: string; readonly since: string } {
  const [first] = inHand.values();
  if (first === undefined || at - first.since < SLOW_MS) return { name: activity, since: '' };
  const name = first.stage === '' ? first.path : `${first.path}: ${first.stage}`;
  return { name, since: ` ${secondsText(at - first.since)}` };
}

/** Files read per second and the remaining time; empty until enough are read. Unchanged files do not count. */
function paceOf({ done, total, toRead, read, workingSince, at }: Working): readonly [rate: string, left: string] {
  const elapsedMs = at - workingSince;
  if (read < MIN_READ_FOR_RATE || elapsedMs <= 0) return ['', ''];
  const perSecond = (read * 1000) / elapsedMs;
  const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} files/s`;
  const open = Math.min(toRead - read, total - done);
  return [rate, open <= 0 ? '' : `${secondsText(Math.max(1000, (open * 1000) / perSecond))} left`];
}

/** A time in whole seconds; empty for less than one. */
function secondsText(ms: number): string {
  if (!(ms >= 1000)) return '';
  return ms < 60_000 ? `${Math.floor(ms / 1000)} s` : durationText(ms);
}
