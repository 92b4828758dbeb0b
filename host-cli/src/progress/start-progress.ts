import type { IngestProgress } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { plainProgress } from './plain-progress.ts';
import { progressLine } from './progress-line.ts';

/** Where the events of a run go. */
export interface Progress {
  readonly onEvent: (event: IngestProgress) => void;
  /** Takes what is on the screen away; later events show nothing. */
  readonly end: () => void;
}

/** How progress is shown, judged by flags, environment and terminal. */
export type ProgressStyle = 'none' | 'json' | 'line' | 'plain';

const NO_PROGRESS: Progress = { onEvent: () => undefined, end: () => undefined };

/** Starts showing the progress of a run in the way that fits. With `--json` events are printed when `eventsInOutput` says so. */
export function startProgress(
  context: CommandContext,
  { eventsInOutput }: { readonly eventsInOutput: boolean } = { eventsInOutput: false },
): Progress {
  const style = styleOf(context);
  switch (style) {
    case 'none':
      return NO_PROGRESS;
    case 'json':
      return eventsInOutput ? { ...NO_PROGRESS, onEvent: (event) => context.printJson(event) } : NO_PROGRESS;
    case 'line':
      return progressLine(context.io.stderr, now);
    case 'plain':
      return plainProgress(context.io.stderr, now);
    default:
      return style satisfies never;
  }
}

function now(): number {
  return performance.now();
}

function styleOf(context: CommandContext): ProgressStyle {
  if (context.quiet) return 'none';
  if (context.json) return 'json';
  if (context.variable('KEBAB_PROGRESS') === 'plain') return 'plain';
  return context.io.stderr.isTerminal && !isSet(context.variable('CI')) ? 'line' : 'none';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}
