import { SOURCE_TYPES, TRUST_LEVELS, type JsonValue, type SourceType, type TrustLevel } from '@kebab/core';

/** The readers of values of known keys: each answers undefined for a value of the wrong type. */

/** A string; numbers and booleans become one. */
export function asText(value: JsonValue): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** A list of strings; a scalar is a list of one, an empty item counts for nothing. */
export function asTexts(value: JsonValue): readonly string[] | undefined {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const texts = items.filter((item) => item !== null && item !== '').map(asText);
  return texts.includes(undefined) ? undefined : texts.filter((text) => text !== undefined);
}

/** The language subtag of a language tag: `en` of `en-GB`. */
export function asLang(value: JsonValue): string | undefined {
  const tag = typeof value === 'string' ? /^([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]+)*$/.exec(value.trim()) : null;
  return tag?.[1]?.toLowerCase();
}

/** A moment, see {@link parseTimestamp}. */
export function asTimestamp(value: JsonValue): Date | undefined {
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

/** One of the source types. */
export function asSourceType(value: JsonValue): SourceType | undefined {
  return SOURCE_TYPES.find((type) => type === value);
}

/** One of the trust levels. */
export function asTrustLevel(value: JsonValue): TrustLevel | undefined {
  return TRUST_LEVELS.find((level) => level === value);
}

const FORM = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)?)?$/;

/**
 * The moment that a timestamp names: RFC 3339, or a date alone (midnight UTC); without an offset it is UTC. Undefined for
 * anything else, and for days and times that do not exist.
 */
export function parseTimestamp(source: string): Date | undefined {
  const match = FORM.exec(source.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '0', offset = 'Z'] = match;
  const clock = `${hour}:${minute}:${second === '60' ? '59' : second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const local = new Date(`${year}-${month}-${day}T${clock}Z`);
  if (Number.isNaN(local.getTime()) || local.getUTCDate() !== Number(day) || hour === '24') return undefined;
  const moment = new Date(`${year}-${month}-${day}T${clock}${offset.toUpperCase()}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

const KNOWN: ReadonlySet<string> = new Set([
  'title',
  'aliases',
  'tags',
  'lang',
  'created_at',
  'updated_at',
  'source_type',
  'trust_level',
  'id',
]);
const YES: ReadonlySet<string> = new Set(['yes', 'Yes', 'YES', 'on', 'On', 'ON']);
const NO: ReadonlySet<string> = new Set(['no', 'No', 'NO', 'off', 'Off', 'OFF']);

/** Whether kebab gives a front matter key a meaning. Its scalars are texts as they are written: `title: 1.10` is "1.10". */
export function isKnownKey(key: string): boolean {
  return KNOWN.has(key);
}

/** The boolean that a word without quotes stands for where people write `published: yes`; undefined for any other word. */
export function yesOrNo(word: string): boolean | undefined {
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
