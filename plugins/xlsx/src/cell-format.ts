import type * as Numfmt from 'numfmt';

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

/** Dates of the reader's system: 14, and those that East Asian versions have between 27 and 58. */
function isSystemDate(id: number): boolean {
  return id === 14 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58);
}

/** The days between the two ways of counting days, from 1900 and from 1904. */
const DAYS_TO_1904 = 1462;
/** A day whose parts are only numbers, in the order of some language. */
const NUMERIC_DATE = /^(?:\[\$-[^\]]*\]|[dmyhs]+|AM\/PM|A\/P|\\?[\s/.,:-]|;@|\.0+)*$/i;

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
  const numfmt = await import('numfmt');
  const patternOf = (style: number): string => {
    const id = formats[style] ?? 0;
    return patterns.get(id) ?? BUILT_IN[id] ?? (isSystemDate(id) ? 'yyyy-mm-dd' : 'General');
  };
  return {
    number: (value, style) => {
      const pattern = patternOf(style);
      if (pattern === 'General' || !numfmt.isValidFormat(pattern)) return plainNumber(value);
      return formatted(value, pattern, { numfmt, is1904 });
    },
    text: (value, style) => {
      const pattern = patternOf(style);
      return /[^@]@|@./.test(pattern) && numfmt.isValidFormat(pattern) ? numfmt.format(pattern, value) : value;
    },
  };
}

/** A number as it was entered; 15 digits are what a workbook computes with. */
function plainNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}

/** Days are ISO dates where the format would have only numbers, whose order depends on the language. A time of day has no date. */
function formatted(
  value: number,
  pattern: string,
  { numfmt, is1904 }: { readonly numfmt: typeof Numfmt; readonly is1904: boolean },
): string {
  if (!numfmt.isDateFormat(pattern)) return numfmt.format(pattern, value);
  const { year, month, day, hours, minutes, seconds } = numfmt.getFormatDateInfo(pattern);
  const isDate = year || day;
  const time = seconds ? 'hh:mm:ss' : 'hh:mm';
  if (isDate && value >= 0 && value < 1)
    return hours || minutes || value > 0 ? numfmt.format(time, value) : plainNumber(value);
  const serial = value + (isDate && is1904 ? DAYS_TO_1904 : 0);
  const isIso = year && month && day && NUMERIC_DATE.test(pattern) && !/m{3}|d{3}/i.test(pattern);
  return numfmt.format(isIso ? `yyyy-mm-dd${hours ? ` ${time}` : ''}` : pattern, serial);
}
