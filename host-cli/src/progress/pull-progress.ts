import type { ModelPull } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { bytesText } from '../render/measures.ts';
import { printable } from '../io/printable.ts';

/** Where the events of a download go. */
export interface PullProgress {
  readonly onEvent: (event: ModelPull) => void;
  /** Takes what is on the screen away. */
  readonly end: () => void;
}

const REFRESH_MS = 100;

/** Shows a download: events as JSON lines, or one line of a terminal that is drawn over itself. */
export function pullProgress(context: CommandContext): PullProgress {
  const { json, quiet, io } = context;
  if (json) return { onEvent: (event) => context.printJson(event), end: () => undefined };
  if (quiet || !io.stderr.isTerminal) return { onEvent: () => undefined, end: () => undefined };
  let drawnAt = -Infinity;
  return {
    onEvent: (event) => {
      const now = performance.now();
      if (now - drawnAt < REFRESH_MS) return;
      drawnAt = now;
      io.stderr.draw(pullText(event));
    },
    end: () => {
      if (drawnAt !== -Infinity) io.stderr.erase();
      drawnAt = -Infinity;
    },
  };
}

/** How far a download is, as one line. */
export function pullText({ model, bytes_done: done, bytes_total: total }: ModelPull): string {
  const name = printable(model);
  if (total === null) return `${name}  ${bytesText(done)}`;
  const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
  return `${name}  ${percent} %  ${bytesText(done)} of ${bytesText(total)}`;
}
