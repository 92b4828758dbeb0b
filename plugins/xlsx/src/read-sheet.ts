import { localName, readXml } from '@kebab/formats-kit';
import type { CellFormats } from './cell-format.ts';

/** A row of a sheet that has cells. */
export interface SheetRow {
  /** As the program shows it, from 1. */
  readonly number: number;
  /** The displayed values by column, from 0; empty where there is none. */
  readonly cells: readonly string[];
  /** The same, with the value of merged cells in every column that they cover. */
  readonly names: readonly string[];
}

/** What a sheet has. */
export interface SheetContent {
  readonly rows: readonly SheetRow[];
  /** The number of formulas whose result is not saved in the file. */
  readonly unsaved: number;
  /** The number of cells beyond the last column that is read. */
  readonly beyond: number;
}

/** What is needed to show the cells of a sheet. */
export interface SheetContext {
  readonly strings: readonly string[];
  readonly formats: CellFormats;
  readonly maxColumns: number;
}

/** Reads the XML of a sheet. A cell or a row without an address follows the one before it. */
export async function readSheet(xml: string, { strings, formats, maxColumns }: SheetContext): Promise<SheetContent> {
  const rows = new Map<number, string[]>();
  const merged: string[] = [];
  let [row, column, unsaved, beyond]: [number, number, number, number] = [0, -1, 0, 0];
  let [type, style, value, isValue, isFormula, isPhonetic] = ['', 0, '', false, false, false];
  let cells: string[] = [];
  await readXml(xml, {
    onOpen: (prefixed, { r = '', t = 'n', s = '0', ref = '' }) => {
      const name = localName(prefixed);
      if (name === 'row') {
        row = Number(r) > 0 ? Number(r) : row + 1;
        column = -1;
        cells = rows.get(row) ?? [];
        rows.set(row, cells);
      } else if (name === 'c') {
        column = columnOf(r) ?? column + 1;
        [type, style, value, isFormula] = [t, Number(s), '', false];
      } else if (name === 'f') isFormula = true;
      else if (name === 'v' || name === 't') isValue = !isPhonetic;
      else if (name === 'rPh') isPhonetic = true;
      else if (name === 'mergeCell') merged.push(ref);
    },
    onText: (text) => (value += isValue ? text : ''),
    onClose: (prefixed) => {
      const name = localName(prefixed);
      if (name === 'v' || name === 't') isValue = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'c') {
        if (value === '' && isFormula && type !== 'str') unsaved++;
        const shown = value === '' ? '' : displayed(value, { type, style }, { strings, formats });
        if (shown !== '' && column >= maxColumns) beyond++;
        else if (shown !== '') cells[column] = shown;
      }
    },
  });
  const sorted = [...rows].toSorted(([a], [b]) => a - b);
  const names = fillMerged(rows, merged, maxColumns);
  return {
    rows: sorted.map(([number, all]) => ({ number, cells: dense(all), names: dense(names.get(number) ?? all) })),
    unsaved,
    beyond,
  };
}

function displayed(
  value: string,
  { type, style }: { readonly type: string; readonly style: number },
  { strings, formats }: Pick<SheetContext, 'strings' | 'formats'>,
): string {
  if (type === 's') return formats.text(strings[Number(value)] ?? '', style);
  if (type === 'str' || type === 'inlineStr') return formats.text(unescapedText(value), style);
  if (type === 'b') return value.trim() === '1' || value.trim() === 'true' ? 'TRUE' : 'FALSE';
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '').replace('T', ' ');
  const number = Number(value);
  return type === 'e' || value.trim() === '' || !Number.isFinite(number) ? value : formats.number(number, style);
}

/** A text of a workbook, in which control characters are written as `_x000D_`. */
export function unescapedText(text: string): string {
  return text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The column of an address, from 0; undefined if it has none. */
function columnOf(address: string): number | undefined {
  const [letters] = /^[A-Z]{1,3}/.exec(address.replaceAll('$', '').toUpperCase()) ?? [];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The cells of a row, empty where there is none. */
function dense(cells: readonly (string | undefined)[]): readonly string[] {
  return Array.from(cells, (cell) => cell ?? '');
}

/**
 * Puts the value of merged cells into every row that they cover and that has another value. Returns the rows, by their number, of which
 * cells are merged over several columns, with the value in each of these.
 */
function fillMerged(
  rows: ReadonlyMap<number, string[]>,
  ranges: readonly string[],
  maxColumns: number,
): ReadonlyMap<number, readonly string[]> {
  let last = 0;
  for (const number of rows.keys()) last = Math.max(last, number);
  const names = new Map<number, string[]>();
  for (const range of ranges) {
    const [, first = '', top = '', final = '', bottom] =
      /^\$?([A-Z]{1,3})\$?(\d+):\$?([A-Z]{1,3})\$?(\d+)$/i.exec(range) ?? [];
    const column = columnOf(first);
    const value = column === undefined ? undefined : rows.get(Number(top))?.[column];
    if (column === undefined || value === undefined) continue;
    for (let number = Number(top) + 1; number <= Math.min(Number(bottom), last); number++) {
      const cells = rows.get(number);
      if (cells?.some((cell) => cell !== undefined) === true) cells[column] ??= value;
    }
    const end = Math.min((columnOf(final) ?? column) + 1, maxColumns);
    if (end - column < 2) continue;
    const spread = names.get(Number(top)) ?? [...(rows.get(Number(top)) ?? [])];
    for (let at = column; at < end; at++) spread[at] = value;
    names.set(Number(top), spread);
  }
  return names;
}
