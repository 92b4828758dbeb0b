import type { IngestProgress } from '@kebab/core/app';
import type { Printer } from '../io/printer.ts';
import { NOT_STARTED, advance } from './progress-state.ts';
import { renderProgress } from './render-progress.ts';
import type { Progress } from './start-progress.ts';

const REFRESH_MS = 100;

/** Progress as one line of a terminal, drawn over itself at most ten times a second and gone at the end. */
export function progressLine(output: Printer, now: () => number): Progress {
  let state = NOT_STARTED;
  let drawnAt = -Infinity;
  let ended = false;
  return {
    onEvent: (event: IngestProgress) => {
      const at = now();
      state = advance(state, event, at);
      if (ended || at - drawnAt < REFRESH_MS) return;
      drawnAt = at;
      // A line as wide as the terminal would wrap.
      output.draw(renderProgress(state, (output.columns ?? Infinity) - 1));
    },
    end: () => {
      if (!ended && drawnAt !== -Infinity) output.erase();
      ended = true;
    },
  };
}
