import type { EvalProgress } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { fitEnd } from '../render/text-width.ts';

/** Where the progress of an evaluation goes. */
export interface EvalProgressView {
  readonly onEvent: (progress: EvalProgress) => void;
  /** Takes what is on the screen away. */
  readonly end: () => void;
}

const REFRESH_MS = 100;
const STEPS = 10;
const HIDDEN: EvalProgressView = { onEvent: () => undefined, end: () => undefined };

/** Shows how many queries are done: as one line of a terminal that is drawn over itself, or as a line every tenth. */
export function evalProgress(context: CommandContext): EvalProgressView {
  const { json, quiet, io } = context;
  if (json || quiet) return HIDDEN;
  if (context.variable('KEBAB_PROGRESS') === 'plain') return plainLines((line) => io.stderr.line(line));
  if (!io.stderr.isTerminal) return HIDDEN;
  let drawnAt = -Infinity;
  return {
    onEvent: ({ done, total, queryId }) => {
      const now = performance.now();
      if (now - drawnAt < REFRESH_MS) return;
      drawnAt = now;
      // A line as wide as the terminal would wrap.
      io.stderr.draw(fitEnd(`${done}/${total} queries  ${queryId}`, (io.stderr.columns ?? Infinity) - 1));
    },
    end: () => {
      if (drawnAt !== -Infinity) io.stderr.erase();
      drawnAt = -Infinity;
    },
  };
}

function plainLines(write: (line: string) => void): EvalProgressView {
  let told = 0;
  return {
    onEvent: ({ done, total }) => {
      const step = Math.floor((done * STEPS) / total);
      if (step > told) write(`${done}/${total} queries (${Math.floor((done * 100) / total)} %)`);
      told = step;
    },
    end: () => undefined,
  };
}
