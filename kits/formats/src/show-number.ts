import type * as Numfmt from 'numfmt';

/** How a number is shown. */
export interface NumberDisplay {
  /** A number format as spreadsheets have them, such as `0.00%`. */
  readonly pattern: string;
  /** Whether days count from 1904 instead of 1900. */
  readonly is1904?: boolean | undefined;
}

/** Shows numbers and texts as spreadsheets display them. */
export interface DisplayFormats {
  /**
   * A number in a format. A day whose format has only numbers is an ISO date, because their order depends on the language; a time of day has
   * no date. Without a format, or with an invalid one, it is the number as entered.
   */
  number(value: number, display: NumberDisplay): string;
  /** A text in a format, such as `"Lot "@`. */
  text(value: string, pattern: string): string;
}

/** The days between the two ways of counting days. */
const DAYS_TO_1904 = 1462;
/** A day, and a time, of which all parts are numbers. */
const NUMERIC_DATE = /^(?:\[\$-[^\]]*\]|[dmyhs]+|AM\/PM|A\/P|\\?[\s/.,:-]|;@|\.0+)*$/i;

/** Loads {@link DisplayFormats}. */
export async function displayFormats(): Promise<DisplayFormats> {
  const numfmt = await import('numfmt');
  const kinds = new Map<string, 'none' | 'number' | 'date'>();
  const kindOf = (pattern: string): 'none' | 'number' | 'date' => {
    const known = kinds.get(pattern);
    if (known !== undefined) return known;
    const isNone = /^general$/i.test(pattern) || !numfmt.isValidFormat(pattern);
    const kind = isNone ? 'none' : numfmt.isDateFormat(pattern) ? 'date' : 'number';
    kinds.set(pattern, kind);
    return kind;
  };
  return {
    number: (value, { pattern, is1904 = false }) => {
      const kind = kindOf(pattern);
      if (kind === 'none') return plainNumber(value);
      return kind === 'number' ? numfmt.format(pattern, value) : dayOrTime(numfmt, value, { pattern, is1904 });
    },
    text: (value, pattern) =>
      /[^@]@|@./.test(pattern) && numfmt.isValidFormat(pattern) ? numfmt.format(pattern, value) : value,
  };
}

/** A number as it was entered; spreadsheets compute with 15 digits. */
function plainNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}

function dayOrTime(
  numfmt: typeof Numfmt,
  value: number,
  { pattern, is1904 }: { readonly pattern: string; readonly is1904: boolean },
): string {
  const { year, month, day, hours, minutes, seconds } = numfmt.getFormatDateInfo(pattern);
  const isDate = year || day;
  const time = seconds ? 'hh:mm:ss' : 'hh:mm';
  if (isDate && value >= 0 && value < 1)
    return hours || minutes || value > 0 ? numfmt.format(time, value) : plainNumber(value);
  const serial = value + (isDate && is1904 ? DAYS_TO_1904 : 0);
  const isIso = year && month && day && NUMERIC_DATE.test(pattern) && !/m{3}|d{3}/i.test(pattern);
  return numfmt.format(isIso ? `yyyy-mm-dd${hours ? ` ${time}` : ''}` : pattern, serial);
}
