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
   * A number in a format. A day in the format of the reader's system is an ISO date, because that depends on the language; a time of day has no
   * date. Without a format, or with an invalid one, it is the number as entered.
   */
  number(value: number, display: NumberDisplay): string;
  /** A text in a format, such as `"Lot "@`. */
  text(value: string, pattern: string): string;
}

/** The days between the two ways of counting days. */
const DAYS_TO_1904 = 1462;
/** How files write the date of the reader's system, with a time or without. */
const SYSTEM_DATE = /^(?:\[\$-[^\]]*\])?(?:m\/d\/yy(?:yy)?|mm-dd-yy)(\s+h:mm)?(?:;@)?$/i;
/** A currency with a language; that of the reader's system decides how its numbers are written. */
const CURRENCY = /\[\$([^\]-]+)-[0-9a-f]+\]/gi;
/** A format of a whole number and a fraction. */
const MIXED_FRACTION = /[#0?]\s+[#0?]+\/[#0?\d]/;

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
      if (kind === 'date') return dayOrTime(numfmt, value, { pattern, is1904 });
      const shown = numfmt.format(pattern.replaceAll(CURRENCY, '[$$$1]'), decimal(value));
      return MIXED_FRACTION.test(pattern) ? withoutWhole(shown) : shown;
    },
    text: (value, pattern) =>
      /[^@]@|@./.test(pattern) && numfmt.isValidFormat(pattern) ? numfmt.format(pattern, value) : value,
  };
}

/** A number as it was entered; spreadsheets compute with 15 digits. */
function plainNumber(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
}

/**
 * A number of which rounding goes by its decimal digits, as in spreadsheets: 0.285 in percent is 29%, though the binary number is a little
 * less than that and 100 times it too.
 */
function decimal(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15)) * (1 + 2 * Number.EPSILON);
}

/** A mixed fraction without one of equal parts, which is rounded already: `4 1/1` as `4`. */
function withoutWhole(shown: string): string {
  return shown.replace(/(?<!\d)(?:(\d+)\s+)?(\d+)\/\2(?!\d)/, (_, whole: string | undefined) => whole ?? '1');
}

function dayOrTime(
  numfmt: typeof Numfmt,
  value: number,
  { pattern, is1904 }: { readonly pattern: string; readonly is1904: boolean },
): string {
  const { year, day, hours, minutes, seconds } = numfmt.getFormatDateInfo(pattern);
  const isDate = year || day;
  const time = seconds ? 'hh:mm:ss' : 'hh:mm';
  if (isDate && value >= 0 && value < 1)
    return hours || minutes || value > 0 ? numfmt.format(time, value) : plainNumber(value);
  const serial = value + (isDate && is1904 ? DAYS_TO_1904 : 0);
  const [isSystem, hasTime] = SYSTEM_DATE.exec(pattern) ?? [];
  if (isSystem === undefined) return numfmt.format(pattern, serial);
  return numfmt.format(`yyyy-mm-dd${hasTime === undefined ? '' : ' hh:mm'}`, serial);
}
