import type { IngestProgress } from '@kebab/core/app';
import type { Printer } from '../io/printer.ts';
import { NOT_STARTED, advance, type ProgressState } from './progress-state.ts';
import type { Progress } from './start-progress.ts';

const EVERY_MS = 2000;
const STEPS = 10;

/** Progress as lines that stay: one every two seconds or tenth of the files, whichever comes first. */
export function plainProgress(output: Printer, now: () => number): Progress {
  let state = NOT_STARTED;
  let told = { at: now(), step: 0 };
  return {
    onEvent: (event: IngestProgress) => {
      const at = now();
      state = advance(state, event, at);
      if (event.kind !== 'scan_completed' && event.kind !== 'asset_finished' && event.kind !== 'asset_stage') return;
      const step = stepOf(state);
      if (event.kind !== 'scan_completed' && step === told.step && at - told.at < EVERY_MS) return;
      told = { at, step };
      const activity = event.kind === 'asset_stage' && state.kind === 'working' ? `  ${state.activity}` : '';
      output.line(`${plainLine(state)}${activity}`);
    },
    end: () => undefined,
  };
}

/** How many tenths are done. */
function stepOf(state: ProgressState): number {
  return state.kind === 'working' ? Math.floor((state.done * STEPS) / Math.max(1, state.total)) : 0;
}

function plainLine(state: ProgressState): string {
  if (state.kind === 'scanning') return 'scanning';
  const percent = Math.floor((state.done * 100) / Math.max(1, state.total));
  return `${state.done}/${state.total} files (${percent} %)`;
}
