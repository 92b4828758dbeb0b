import { printable } from '@kebab/core/app';
import type { Printer } from '../io/printer.ts';
import { createColors, type Colors } from './colors.ts';
import { padWidth, textWidth } from './text-width.ts';

/** The output that text is rendered for. */
export interface Screen {
  /** Width of the terminal in columns; null if the output is not a terminal, and nothing is cut to fit. */
  readonly columns: number | null;
  readonly colors: Colors;
  /** Keeps the text of a document unchanged in a pipe; on a terminal it is made safe like all other text. */
  readonly exact: (text: string) => string;
  /** Makes a text a link, on a terminal. */
  readonly link: (text: string, url: string) => string;
  /** The home folder; paths below it are shown with `~`. */
  readonly homeDir: string;
}

/** The parts of a process's environment that affect its output. */
export interface ScreenEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
}

/** Describes an output. Without `--color`, colours are used on a terminal, or if the environment requests them. */
export function screenOf(output: Printer, { env, homeDir }: ScreenEnvironment, color?: string): Screen {
  const hasColors = requestedColors(color, env) ?? (output.isTerminal && env['TERM'] !== 'dumb');
  const colors = createColors(hasColors);
  return {
    columns: output.columns,
    colors: hasColors ? output.styles(colors) : colors,
    exact: (text) => output.exact(text),
    link: (text, url) => (output.isTerminal ? output.link(text, url) : text),
    homeDir,
  };
}

/** Whether colours are requested, by the flag or else the environment; undefined if that depends on the output. */
function requestedColors(color: string | undefined, env: ScreenEnvironment['env']): boolean | undefined {
  if (color === 'always' || color === 'never') return color === 'always';
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const isForced = [env['FORCE_COLOR'], env['CLICOLOR_FORCE']].some((value = '') => !/^(?:0|false|)$/.test(value));
  return isForced ? true : undefined;
}

/** A label and its value; a field without a value is omitted. */
export type Field = readonly [label: string, value: string | null | undefined];

/** Fields as lines, two spaces in, values aligned. */
export function renderFields(fields: readonly Field[]): string {
  const present = fields.filter((field): field is readonly [string, string] => (field[1] ?? '') !== '');
  const width = Math.max(0, ...present.map(([label]) => textWidth(label)));
  return present.map(([label, value]) => `  ${padWidth(label, width)}  ${printable(value)}\n`).join('');
}
