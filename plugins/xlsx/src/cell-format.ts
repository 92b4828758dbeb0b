import { displayFormats } from '@kebab/formats-kit';

/** Shows values as a workbook displays them, by the number formats of its cells. */
export interface CellFormats {
  /** A number in a cell of a style. */
  number(value: number, style: number): string;
  /** A text in a cell of a style. */
  text(value: string, style: number): string;
}

/**
 * The formats that have a number in every workbook (ECMA-376, 18.8.30). The display of some depends on the language of the reader's system:
 * dates are then ISO dates, currencies have no sign.
 */
const BUILT_IN: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '#,##0',
  6: '#,##0',
  7: '#,##0.00',
  8: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  32: 'h:mm',
  33: 'h:mm:ss',
  34: 'h:mm',
  35: 'h:mm:ss',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0;(#,##0);"-"',
  42: '#,##0;(#,##0);"-"',
  43: '#,##0.00;(#,##0.00);"-"',
  44: '#,##0.00;(#,##0.00);"-"',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

/** What a workbook says of the formats of its cells. */
export interface WorkbookStyles {
  /** The format of each style of a cell, by number. */
  readonly formats: readonly number[];
  /** The formats of the workbook itself. */
  readonly patterns: ReadonlyMap<number, string>;
  /** Whether days count from 1904. */
  readonly is1904: boolean;
}

/** Creates {@link CellFormats} for a workbook. */
export async function cellFormats({ formats, patterns, is1904 }: WorkbookStyles): Promise<CellFormats> {
  const display = await displayFormats();
  const patternOf = (style: number): string => {
    const id = formats[style] ?? 0;
    // Dates of the reader's system: 14, and those that East Asian versions have between 27 and 58.
    const isSystemDate = id === 14 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58);
    return patterns.get(id) ?? BUILT_IN[id] ?? (isSystemDate ? 'yyyy-mm-dd' : 'General');
  };
  return {
    number: (value, style) => display.number(value, { pattern: patternOf(style), is1904 }),
    text: (value, style) => display.text(value, patternOf(style)),
  };
}
