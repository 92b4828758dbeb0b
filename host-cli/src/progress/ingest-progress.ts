import type { IngestProgress } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import type { Printer } from '../io/printer.ts';
import { DrawnLine } from './drawn-line.ts';
import { NOT_STARTED, advance, atTime, renderProgress, type ProgressState } from './progress-state.ts';

/** Receives the events of an ingest. */
export interface Progress {
  readonly onEvent: (event: IngestProgress) => void;
  /** Removes what is on the screen; later events show nothing. */
  readonly end: () => void;
}

const NO_PROGRESS: Progress = { onEvent: () => undefined, end: () => undefined };

/** Shows the progress of a run as flags, environment and terminal ask. With `--json` events are printed if `eventsInOutput`. */
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

/** How progress is shown, as flags, environment and terminal ask. */
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

/** Progress as one line of a terminal, which moves also while a file takes long. */
export function progressLine(output: Printer, now: () => number = () => performance.now()): Progress {
  const line = new DrawnLine(output, now);
  let state = NOT_STARTED;
  let ended = false;
  const draw = (): void => line.draw((columns) => renderProgress(state, columns));
  const ticking = setInterval(() => {
    if (state === NOT_STARTED || ended) return;
    state = atTime(state, now());
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

/** Progress as lines that stay: one every two seconds or tenth of the files, whichever comes first. */
export function plainProgress(output: Printer, now: () => number = () => performance.now()): Progress {
  let state = NOT_STARTED;
  let last = { at: now(), step: 0 };
  return {
    onEvent: (event) => {
      const at = now();
      state = advance(state, event, at);
      if (event.kind !== 'scan_completed' && event.kind !== 'asset_finished' && event.kind !== 'asset_stage') return;
      const step = stepOf(state);
      if (event.kind !== 'scan_completed' && step === last.step && at - last.at < PLAIN_EVERY_MS) return;
      last = { at, step };
      const activity = event.kind === 'asset_stage' && state.kind === 'working' ? `  ${state.activity}` : '';
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
