import { styleText } from 'node:util';
import type { Formatter } from '../io/printer.ts';

const STYLES = ['bold', 'dim', 'red', 'green', 'yellow', 'magenta', 'cyan'] as const;

/** The formatters that screens use. */
export type Colors = Readonly<Record<(typeof STYLES)[number], Formatter>>;

/** Formatters that write escape sequences, or that leave a text as it is. */
export function createColors(enabled: boolean): Colors {
  // Whether the output is a terminal has been decided: Node would build a stream to look again.
  const formatterOf = (style: (typeof STYLES)[number]): Formatter =>
    enabled ? (text) => styleText(style, text, { validateStream: false }) : String;
  return Object.fromEntries(STYLES.map((style) => [style, formatterOf(style)])) as Colors;
}
