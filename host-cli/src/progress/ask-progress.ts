import type { AskStage } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { fitEnd, fitStart, textWidth } from '../screen/text-width.ts';
import { progressStyle } from './ingest-progress.ts';

/** Shows what a question waits for. */
export interface AskProgress {
  readonly onStage: (stage: AskStage) => void;
  /** Removes what is on the screen; later stages show nothing. */
  readonly end: () => void;
}

const TICK_MS = 1000;

/**
 * Shows on the terminal of standard error what a question waits for and since how many seconds, until the answer begins: a model
 * may have to be loaded, and says nothing while it reads. Nothing in a pipe, with `--json`, `--stream` or `--quiet`.
 */
export function startAskProgress(context: CommandContext): AskProgress {
  const { stderr } = context.io;
  if (progressStyle(context) !== 'line' || context.values.has('stream'))
    return { onStage: () => undefined, end: () => undefined };
  let shown: { readonly stage: AskStage; readonly since: number } | null = null;
  let ended = false;
  const draw = (): void => {
    if (shown === null || ended) return;
    const seconds = Math.floor((performance.now() - shown.since) / TICK_MS);
    stderr.draw(renderStage(shown.stage, { seconds, columns: (stderr.columns ?? Infinity) - 1 }));
  };
  const ticking = setInterval(draw, TICK_MS).unref();
  return {
    onStage: (stage) => {
      shown = { stage, since: performance.now() };
      draw();
    },
    end: () => {
      clearInterval(ticking);
      if (shown !== null && !ended) stderr.erase();
      ended = true;
    },
  };
}

const MIN_PATH_COLUMNS = 8;

/** A stage in one line of at most this many columns: the documents that are read give way first. */
export function renderStage(
  stage: AskStage,
  { seconds, columns }: { readonly seconds: number; readonly columns: number },
): string {
  const since = seconds === 0 ? '' : ` ${seconds} s`;
  if (stage.kind === 'searching') return fitStart(`searching${since}`, columns);
  const waiting = `waiting for ${stage.model}${since}`;
  const reading = renderReading(stage.reading, columns - textWidth(waiting) - 2);
  return fitStart(reading === '' ? waiting : `${reading}, ${waiting}`, columns);
}

/** The first document that is read, and how many more; empty where there is no room for it. */
function renderReading([first, ...more]: readonly string[], columns: number): string {
  if (first === undefined) return '';
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  const room = columns - textWidth(`reading ${rest}`);
  return room < MIN_PATH_COLUMNS ? '' : `reading ${fitEnd(first, room)}${rest}`;
}
