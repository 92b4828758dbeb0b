import type { IngestProgress } from '@kebab/core/app';

/** How far an ingest has come. Times in milliseconds of one clock. */
export type ProgressState =
  | { readonly kind: 'scanning'; readonly root: string }
  | {
      readonly kind: 'working';
      readonly total: number;
      readonly done: number;
      /** Path of the file in hand, or what is being done instead. */
      readonly activity: string;
      /** Paths of the files that were begun and not finished, by their numbers. */
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

/** Embedding is a phase of its own: documents are counted anew, and so is the time they take. */
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

/** What a model does, and to which file: `b.pdf: ocr page 4 (3 of 12)`. */
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
