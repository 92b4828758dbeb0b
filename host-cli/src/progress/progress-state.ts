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
      return working(state, at, { total: event.total, activity: event.path });
    case 'asset_stage':
      return working(state, at, { activity: stageText(event) });
    case 'embed_batch_started':
      return working(state, at, { activity: `embedding ${event.n_chunks} chunks` });
    case 'asset_finished':
      return state.kind === 'working' ? { ...state, done: state.done + 1, total: event.total, at } : state;
    case 'embed_batch_finished':
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
  change: { readonly total?: number; readonly activity: string },
): ProgressState {
  return state.kind === 'working' ? { ...state, ...change, at } : state;
}

function stageText({ stage, page }: Extract<IngestProgress, { readonly kind: 'asset_stage' }>): string {
  return page === undefined ? stage : `${stage} page ${page}`;
}
