import { SOURCE_TYPES, TRUST_LEVELS, type JsonValue, type SourceType, type TrustLevel } from '@kebab/core';

/** A value in the plain form of YAML. */
export type PlainValue = PlainScalar | readonly PlainScalar[];

type PlainScalar = string | number | boolean | null;

const UNUSUAL =
  /[^\n\x20-\x7E\u00A1-\u167F\u1681-\u1FFF\u2010-\u2027\u2030-\u205E\u2070-\u2FFF\u3001-\uFEFE\uFF00-\uFFFD]/;
const KEY = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const FIRST = /^[A-Za-z0-9_/(\u00A1-\uFFFD]/;
const NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)$/;
const SMALL_INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;
const FLOW_ITEM = /"([^"\\]*)"|'([^']*)'|([A-Za-z_\u00A1-\uFFFD](?:[^,[\]{}:#"' ]| +(?![ ,\]]))*)/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

/**
 * Parses front matter of the simplest form: lines `key: value`, where the value is one plain or quoted scalar, a list of scalars in
 * brackets, empty, or a list of `- value` lines. Returns undefined for everything else, which requires a YAML parser; otherwise the result
 * equals that of {@link parseYaml}.
 */
export function parsePlainYaml(raw: string): ReadonlyMap<string, PlainValue> | undefined {
  if (UNUSUAL.test(raw)) return undefined;
  const values = new Map<string, PlainValue>();
  const lines = raw.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line === '' || line.startsWith('#')) continue;
    const colon = line.indexOf(':');
    const key = line.slice(0, colon);
    if (colon === -1 || !KEY.test(key) || values.has(key) || WORDS.has(key)) return undefined;
    const source = line.slice(colon + 1).trim();
    if (source !== '' && line.charAt(colon + 1) !== ' ') return undefined;
    const entries = source === '' ? entriesBelow(lines, at + 1) : [];
    const text = isKnownKey(key);
    const value = entries.length > 0 ? blockList(entries, text) : valueOf(source, text);
    if (value === undefined) return undefined;
    values.set(key, value);
    at += entries.length;
  }
  return values;
}

/** The values of the consecutive `- value` lines with the same indentation that begin at `from`. */
function entriesBelow(lines: readonly string[], from: number): readonly string[] {
  const entries: string[] = [];
  const dash = (lines[from] ?? '').search(/- /);
  const indent = `${' '.repeat(Math.max(0, dash))}- `;
  for (let at = from; lines[at]?.startsWith(indent) === true; at++)
    entries.push((lines[at] ?? '').slice(indent.length).trim());
  return entries;
}

function blockList(entries: readonly string[], text: boolean): PlainValue | undefined {
  const items: PlainScalar[] = [];
  for (const entry of entries) {
    const item = entry === '' ? undefined : scalarOf(entry, text);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function valueOf(source: string, text: boolean): PlainValue | undefined {
  return source.startsWith('[') ? flowList(source, text) : scalarOf(source, text);
}

function scalarOf(source: string, text: boolean): PlainScalar | undefined {
  if (source === '') return null;
  if (source.startsWith('"') || source.startsWith("'")) return quoted(source);
  if (!FIRST.test(source) || source.includes(': ') || source.includes(' #') || source.endsWith(':')) return undefined;
  const word = wordOf(source, text);
  if (typeof word !== 'string' || text || !NUMBER.test(source)) return word;
  return SMALL_INTEGER.test(source) ? Number(source) : undefined;
}

/** The value of an unquoted word; with `text`, only null words have a value other than themselves. */
function wordOf(word: string, text: boolean): string | boolean | null {
  const known = WORDS.get(word);
  if (known === null) return null;
  return text ? word : (known ?? yesOrNo(word) ?? word);
}

/** A quoted scalar without escapes. */
function quoted(source: string): string | undefined {
  const end = source.indexOf(source.charAt(0), 1);
  return end === source.length - 1 && end > 0 && !source.includes('\\') ? source.slice(1, -1) : undefined;
}

/** Parses items between brackets, with an optional comma after the last. */
function flowList(source: string, text: boolean): PlainValue | undefined {
  const items: PlainScalar[] = [];
  let at = 1;
  for (;;) {
    while (source[at] === ' ') at++;
    if (source[at] === ']') return at === source.length - 1 ? items : undefined;
    FLOW_ITEM.lastIndex = at;
    const match = FLOW_ITEM.exec(source);
    if (match === null) return undefined;
    const [whole, double, single, plain = ''] = match;
    items.push(double ?? single ?? wordOf(plain, text));
    at += whole.length;
    while (source[at] === ' ') at++;
    if (source[at] === ',') at++;
    else if (source[at] !== ']') return undefined;
  }
}

// Parsers of the values of known keys. Each returns undefined for a value of the wrong type.

/** Converts a string, number or boolean to a string. */
export function asText(value: JsonValue): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Converts a list of scalars, or a single one, to a list of strings, without empty items. */
export function asTexts(value: JsonValue): readonly string[] | undefined {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const texts = items.filter((item) => item !== null && item !== '').map(asText);
  return texts.includes(undefined) ? undefined : texts.filter((text) => text !== undefined);
}

/** The language subtag of a language tag: `en` for `en-GB`. */
export function asLang(value: JsonValue): string | undefined {
  const tag = typeof value === 'string' ? /^([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]+)*$/.exec(value.trim()) : null;
  return tag?.[1]?.toLowerCase();
}

/** A timestamp, parsed by {@link parseTimestamp}. */
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
 * Parses a timestamp: RFC 3339, or a date (midnight UTC). Without an offset it is UTC. Undefined for anything else, and for dates and times
 * that do not exist.
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

/** Whether a front matter key has a meaning for kebab. Its scalars are strings, exactly as written: `title: 1.10` is "1.10". */
export function isKnownKey(key: string): boolean {
  return KNOWN.has(key);
}

/** The boolean for an unquoted `yes`, `no`, `on` or `off`, as in `published: yes`; undefined for any other word. */
export function yesOrNo(word: string): boolean | undefined {
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
