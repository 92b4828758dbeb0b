import picocolors from 'picocolors';
import type { TextOutput } from '../io/text-output.ts';

/** The formatters that screens use. */
export type Colors = ReturnType<typeof picocolors.createColors>;

/** What a screen is rendered for. */
export interface Screen {
  /** Width of the terminal in columns; null when the text does not go to one, and nothing is cut to fit. */
  readonly columns: number | null;
  readonly colors: Colors;
  /** Paths below it are shown with `~`. */
  readonly homeDir: string;
}

/** Describes an output. Colours only on a terminal, never with NO_COLOR or on a dumb one. */
export function screenOf(
  output: Pick<TextOutput, 'isTerminal' | 'columns'>,
  { env, homeDir }: { readonly env: Readonly<Record<string, string | undefined>>; readonly homeDir: string },
): Screen {
  const wanted = output.isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return { columns: output.columns, colors: picocolors.createColors(wanted), homeDir };
}
