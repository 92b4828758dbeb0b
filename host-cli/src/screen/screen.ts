import picocolors from 'picocolors';
import type { Formatter, Printer } from '../io/printer.ts';
import { printable } from '../io/printable.ts';
import { padWidth, textWidth } from './text-width.ts';

/** The formatters that screens use. */
export type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'magenta' | 'cyan', Formatter>>;

/** What a screen is rendered for. */
export interface Screen {
  /** Width of the terminal in columns; null when the text does not go to one, and nothing is cut to fit. */
  readonly columns: number | null;
  readonly colors: Colors;
  /** Keeps the text of a document as it is where it goes into a pipe; on a terminal it is made safe like all else. */
  readonly exact: (text: string) => string;
  /** Makes a text a link, on a terminal. */
  readonly link: (text: string, url: string) => string;
  /** Paths below it are shown with `~`. */
  readonly homeDir: string;
}

/** The surroundings of a process, as far as they say what its screens look like. */
export interface ScreenSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
}

/** Describes an output. Without `--color` there are colours on a terminal, or where the environment asks for them. */
export function screenOf(output: Printer, { env, homeDir }: ScreenSurroundings, color?: string): Screen {
  const wanted = wantsColors(color, env) ?? (output.isTerminal && env['TERM'] !== 'dumb');
  const { bold, dim, red, green, yellow, magenta, cyan } = picocolors.createColors(wanted);
  const colors = { bold, dim, red, green, yellow, magenta, cyan };
  return {
    columns: output.columns,
    colors: wanted ? output.styles(colors) : colors,
    exact: (text) => output.exact(text),
    link: (text, url) => (output.isTerminal ? output.link(text, url) : text),
    homeDir,
  };
}

/** What is asked for, the flag before the environment; undefined where it depends on the output. */
function wantsColors(color: string | undefined, env: ScreenSurroundings['env']): boolean | undefined {
  if (color === 'always' || color === 'never') return color === 'always';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const isForced = [env['FORCE_COLOR'], env['CLICOLOR_FORCE']].some((value = '') => !/^(?:0|false|)$/.test(value));
  return isForced ? true : undefined;
}

/** A label and its value; a field without a value is left out. */
export type Field = readonly [label: string, value: string | null | undefined];

/** Fields as lines, two spaces in, values aligned. */
export function renderFields(fields: readonly Field[]): string {
  const present = fields.filter((field): field is readonly [string, string] => (field[1] ?? '') !== '');
  const width = Math.max(0, ...present.map(([label]) => textWidth(label)));
  return present.map(([label, value]) => `  ${padWidth(label, width)}  ${printable(value)}\n`).join('');
}
