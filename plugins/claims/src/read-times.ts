import type { TextRange } from '@kebab/core';
import { spacedOut } from './sorted-ranges.ts';

/** A time of day; `half` is null where the text does not name the half of the day, `minute` where it has hours alone. */
export interface ReadTime extends TextRange {
  /** 0 to 24, with the half of the day applied. */
  readonly hour: number;
  readonly minute: number | null;
  readonly half: 'am' | 'pm' | null;
}

/** Forms of times, most complete first. */
const FORMS: readonly RegExp[] = [
  /(?<![\d:])(?<h>\d{1,2}):(?<m>\d{2})(?::\d{2})?(?![\d:])(?:\s?(?<half>[ap])\.?m\b)?/giu,
  /(?<![\d:.,])(?<h>\d{1,2})(?:\.(?<m>\d{2}))?\s?(?<half>[ap])\.?\s?m\b\.?/giu,
  /(?:(?<half>오전|오후|午前|午後|上午|下午)\s*)?(?<!\d)(?<h>\d{1,2})(?:시(?!간)|時(?!間)|时|点)(?:\s*(?<m>\d{1,2})[분分])?/gu,
  /(?<![\d:.,])(?<h>\d{1,2})(?:\.(?<m>\d{2}))?\s?Uhr(?!\p{L})/gu,
  /(?<![\d:.,])(?<h>\d{1,2})\s?h\s?(?<m>\d{2})(?![\d\p{L}])/gu,
  /(?<=(?<!\p{L})(?:à|às|las) )(?<h>\d{1,2})\s?h(?![\p{L}\d])/gu,
  /(?<=(?<!\p{L})(?:à|às|vers|om|tot|jusqu['’]à) )(?<h>\d{1,2})\s?(?:heures?|horas?|uur)(?:\s(?<m>\d{2}))?(?!\p{L})/giu,
];
const AFTERNOON = new Set(['p', '오후', '午後', '下午']);

/** The times of a text. */
export function readTimes(text: string): readonly ReadTime[] {
  const found: ReadTime[] = [];
  let rest = text;
  for (const form of FORMS) {
    const times = timesOf(rest, form);
    found.push(...times);
    rest = spacedOut(rest, times);
  }
  return found;
}

/** The times that one form finds in a text, in order. */
function timesOf(text: string, form: RegExp): readonly ReadTime[] {
  return [...text.matchAll(form)].flatMap(({ 0: all, index, groups }) => {
    const written = Number(groups?.['h']);
    const minute = groups?.['m'] === undefined ? null : Number(groups['m']);
    if (written > 24 || (minute ?? 0) > 59) return [];
    const named = groups?.['half']?.toLowerCase();
    const half = named === undefined ? null : AFTERNOON.has(named) ? 'pm' : 'am';
    const hour = half === 'pm' && written < 12 ? written + 12 : half === 'am' && written === 12 ? 0 : written;
    return [{ start: index, end: index + all.length, hour, minute, half }];
  });
}
