import picocolors from 'picocolors';
import type { Formatter, Printer } from '../io/printer.ts';

/** The formatters that screens use. */
export type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan', Formatter>>;

/** What a screen is rendered for. */
export interface Screen {
  /** Width of the terminal in columns; null when the text does not go to one, and nothing is cut to fit. */
  readonly columns: number | null;
  readonly colors: Colors;
  /** Keeps the text of a document as it is where it goes into a pipe; on a terminal it is made safe like all else. */
  readonly exact: (text: string) => string;
  /** Paths below it are shown with `~`. */
  readonly homeDir: string;
}

/** Describes an output. Colours only on a terminal, never with NO_COLOR or on a dumb one. */
export function screenOf(
  output: Printer,
  { env, homeDir }: { readonly env: Readonly<Record<string, string | undefined>>; readonly homeDir: string },
): Screen {
  const wanted = output.isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  const { bold, dim, red, green, yellow, magenta, cyan } = picocolors.createColors(wanted);
  const colors = { bold, dim, red, green, yellow, magenta, cyan };
  return {
    columns: output.columns,
    colors: wanted ? output.styles(colors) : colors,
    exact: (text) => output.exact(text),
    homeDir,
  };
}
