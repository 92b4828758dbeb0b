import type { EvalProgress } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { fitEnd } from '../render/text-width.ts';
import { printable } from '../render/printable.ts';

/** Where the progress of an evaluation goes. */
export interface EvalProgressView {
  readonly onEvent: (progress: EvalProgress) => void;
  /** Takes what is on the screen away. */
  readonly end: () => void;
}

const REFRESH_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';
const STEPS = 10;
const HIDDEN: EvalProgressView = { onEvent: () => undefined, end: () => undefined };

/** Shows how many queries are done: as one line of a terminal that is drawn over itself, or as a line every tenth. */
export function evalProgress(context: CommandContext): EvalProgressView {
  const { json, quiet, io } = context;
  if (json || quiet) return HIDDEN;
  if (context.variable('KEBAB_PROGRESS') === 'plain') return plainLines((line) => io.stderr.write(`${line}\n`));
  if (!io.stderr.isTerminal) return HIDDEN;
  let drawnAt = -Infinity;
  return {
    onEvent: ({ done, total, queryId }) => {
      const now = performance.now();
      if (now - drawnAt < REFRESH_MS) return;
      drawnAt = now;
      // A line as wide as the terminal would wrap.
      const text = fitEnd(`${done}/${total} queries  ${printable(queryId)}`, (io.stderr.columns ?? Infinity) - 1);
      io.stderr.write(`${CLEAR_LINE}${text}`);
    },
    end: () => {
      if (drawnAt !== -Infinity) io.stderr.write(CLEAR_LINE);
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
