import type { IngestProgress } from '@kebab/core/app';
import { durationText } from '../screen/quantities.ts';
import { fitEnd, fitStart, textWidth } from '../screen/text-width.ts';

/** How far an ingest has come. Times in milliseconds of one clock. */
export type ProgressState =
  | { readonly kind: 'scanning'; readonly root: string }
  | {
      readonly kind: 'working';
      readonly total: number;
      readonly done: number;
      /** Path of the current file, or what is being done instead. */
      readonly activity: string;
      /** Paths of the files that were started and are not finished, by their numbers. */
      readonly inHand?: ReadonlyMap<number, string>;
      readonly startedAt: number;
      readonly at: number;
    };

/** Nothing has been reported yet. */
export const NOT_STARTED: ProgressState = { kind: 'scanning', root: '' };

/** The state after an event that came at `at`. */
export function advance(state: ProgressState, event: IngestProgress, at: number): ProgressState {
  switch (event.kind) {
    case 'scan_started':
      return { kind: 'scanning', root: event.root };
    case 'scan_completed':
      return { kind: 'working', total: event.total, done: 0, activity: '', startedAt: at, at };
    case 'asset_started':
      return working(state, at, { total: event.total, activity: event.path, inHand: begun(state, event) });
    case 'asset_stage':
      return working(state, at, { activity: stageText(event, inHandOf(state).get(event.idx)) });
    case 'embed_batch_started':
    case 'embed_batch_finished':
      return embedding(state, event, at);
    case 'asset_finished':
      return state.kind === 'working' ? finished(state, event, at) : state;
    case 'completed':
    case 'aborted':
      return state.kind === 'working' ? { ...state, at } : state;
    default:
      return event satisfies never;
  }
}

function working(
  state: ProgressState,
  at: number,
  change: { readonly total?: number; readonly activity: string; readonly inHand?: ReadonlyMap<number, string> },
): ProgressState {
  return state.kind === 'working' ? { ...state, ...change, at } : state;
}

const EMBEDDING = 'embedding';

/** Embedding is a phase of its own: the count and the clock start again. */
function embedding(
  state: ProgressState,
  { done, total }: { readonly done?: number; readonly total?: number },
  at: number,
): ProgressState {
  if (state.kind !== 'working' || done === undefined || total === undefined)
    return working(state, at, { activity: EMBEDDING });
  const startedAt = state.activity === EMBEDDING ? state.startedAt : at;
  return { kind: 'working', total, done, activity: EMBEDDING, startedAt, at };
}

/** The work of a model on a file: `b.pdf: ocr page 4 (3 of 12)`. */
function stageText(
  { stage, page, done, total }: Extract<IngestProgress, { readonly kind: 'asset_stage' }>,
  path: string | undefined,
): string {
  const place = page === undefined ? stage : `${stage} page ${page}`;
  const count = done === undefined || total === undefined || total === 1 ? '' : ` (${done + 1} of ${total})`;
  return `${path === undefined ? '' : `${path}: `}${place}${count}`;
}

type Working = Extract<ProgressState, { readonly kind: 'working' }>;

function inHandOf(state: ProgressState): ReadonlyMap<number, string> {
  return (state.kind === 'working' ? state.inHand : undefined) ?? new Map<number, string>();
}

function begun(
  state: ProgressState,
  { idx, path }: Extract<IngestProgress, { readonly kind: 'asset_started' }>,
): ReadonlyMap<number, string> {
  return new Map([...inHandOf(state), [idx, path]]);
}

function finished(
  state: Working,
  { idx, total }: Extract<IngestProgress, { readonly kind: 'asset_finished' }>,
  at: number,
): Working {
  const inHand = new Map([...inHandOf(state)].filter(([one]) => one !== idx));
  return { ...state, done: state.done + 1, total, inHand, at };
}

const BAR_COLUMNS = 20;
const MIN_DONE_FOR_RATE = 3;
/** A shorter piece of a path says nothing. */
const MIN_PATH_COLUMNS = 8;

/** How far an ingest has come, in one line of at most `columns`: bar, counts, rate, time left, current path. */
export function renderProgress(state: ProgressState, columns: number): string {
  if (state.kind === 'scanning') return fitStart(`scanning ${state.root}`.trimEnd(), columns);
  const { total, done, activity } = state;
  const counts = `${String(done).padStart(String(total).length)}/${total}`;
  const parts = [`${bar(done, total)} ${counts}`, ...paceOf(state)];
  const line = parts.join('  ');
  const room = columns - textWidth(line) - 2;
  if (activity === '' || room < MIN_PATH_COLUMNS) return fitStart(line, columns);
  return `${line}  ${fitEnd(activity, room)}`;
}

function bar(done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR_COLUMNS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_COLUMNS - full)}`;
}

/** Files a second and the time left; nothing while too few files are done. */
function paceOf({
  done,
  total,
  startedAt,
  at,
}: Extract<ProgressState, { readonly kind: 'working' }>): readonly string[] {
  const elapsedMs = at - startedAt;
  if (done < MIN_DONE_FOR_RATE || elapsedMs <= 0) return [];
  const perSecond = (done * 1000) / elapsedMs;
  const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} files/s`;
  if (done >= total) return [rate];
  return [rate, `${durationText(Math.max(1000, ((total - done) * 1000) / perSecond))} left`];
}
