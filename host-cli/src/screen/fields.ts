import { printable } from '../io/printable.ts';
import { padWidth, textWidth } from './text-width.ts';

/** A label and its value; a field without a value is left out. */
export type Field = readonly [label: string, value: string | null | undefined];

/** Fields as lines, two spaces in, values aligned. */
export function renderFields(fields: readonly Field[]): string {
  const present = fields.filter((field): field is readonly [string, string] => (field[1] ?? '') !== '');
  const width = Math.max(0, ...present.map(([label]) => textWidth(label)));
  return present.map(([label, value]) => `  ${padWidth(label, width)}  ${printable(value)}\n`).join('');
}
