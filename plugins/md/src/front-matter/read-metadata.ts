import {
  SOURCE_TYPES,
  TRUST_LEVELS,
  type ExtractWarning,
  type JsonValue,
  type Metadata,
  type SourceType,
  type TrustLevel,
} from '@kebab/core';
import { knownKey, type ParsedFrontMatter } from './parse-front-matter.ts';

/** The metadata that a document states. Members that it does not state are absent. */
export interface StatedMetadata {
  readonly title?: string;
  readonly lang?: string;
  readonly metadata: Partial<Metadata>;
  readonly warnings: readonly ExtractWarning[];
}

type Stated = Pick<StatedMetadata, 'title' | 'lang'> & Partial<Metadata>;

/**
 * Reads metadata from front matter. A key without a value counts as absent. A known key with a value of the wrong type causes a warning;
 * it, a known key that comes again in another case, and all unknown keys are added to `user` unchanged; `tags` in a table `taxonomies`, where
 * Zola has them, count besides. Lines that are not valid cause one warning, with their numbers.
 */
export function readMetadata({ values, wrongLines, textLines }: ParsedFrontMatter): StatedMetadata {
  const stated: Stated = {};
  const user: [string, JsonValue][] = [];
  const warnings: ExtractWarning[] = [];
  const notes = [
    ...linesNote(wrongLines, 'not valid', 'read as written'),
    ...linesNote(textLines, 'not metadata', 'read as text'),
  ];
  if (notes.length > 0) warnings.push(warning(`front matter: ${notes.join('; ')}`));
  for (const [key, value] of values) {
    const known = knownKey(key);
    if (known === undefined) {
      user.push([key, value]);
      const { tags = null } = key === 'taxonomies' ? ((value as { readonly tags?: JsonValue } | null) ?? {}) : {};
      if (tags !== null) add(stated, readKnown('tags', tags) ?? {});
    } else if (value !== null && (typeof value !== 'string' || value.trim() !== '')) {
      const member = readKnown(known, value);
      if (member === undefined) warnings.push(warning(`${key}: ${shown(value)} is not a value for it`));
      if (member === undefined || !add(stated, member)) user.push([key, value]);
    }
  }
  const { title, lang, ...metadata } = stated;
  return {
    ...(title === undefined ? {} : { title }),
    ...(lang === undefined ? {} : { lang }),
    metadata: user.length === 0 ? metadata : { ...metadata, user: Object.fromEntries(user) },
    warnings,
  };
}

/** The most lines that a warning names. */
const MAX_LINES = 8;

function linesNote(lines: readonly number[], fault: string, remedy: string): readonly string[] {
  if (lines.length === 0) return [];
  const named = lines.slice(0, MAX_LINES).join(', ') + (lines.length > MAX_LINES ? ' …' : '');
  return [
    lines.length === 1 ? `line ${named} is ${fault} and is ${remedy}` : `lines ${named} are ${fault} and are ${remedy}`,
  ];
}

/** Adds what one key states; `tags` and `tag` are joined, of other keys the first counts. Whether it was added. */
function add(stated: Stated, { tags, aliases, ...single }: Stated): boolean {
  const lists = {
    ...(tags === undefined ? {} : { tags: joined(stated.tags, tags) }),
    ...(aliases === undefined ? {} : { aliases: joined(stated.aliases, aliases) }),
  };
  if (Object.keys(single).some((key) => key in stated)) return false;
  Object.assign(stated, single, lists);
  return true;
}

function joined(before: readonly string[] = [], more: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])];
}

/**
 * Reads page properties as Logseq writes them in the first lines of a page, `tags:: a, b`; undefined without any that is known. They stay
 * text of the document.
 */
export function readPageProperties(text: string): StatedMetadata | undefined {
  const values: [string, JsonValue][] = [];
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const [, key, value] = PAGE_PROPERTY.exec(text.slice(at, newline === -1 ? text.length : newline)) ?? [];
    if (key === undefined || value === undefined) break;
    const known = knownKey(key);
    if (known === 'title' || known === 'tags' || known === 'aliases') values.push([key, value.trim()]);
    at = newline === -1 ? text.length : newline + 1;
  }
  return values.length === 0 ? undefined : readMetadata({ values, wrongLines: [], textLines: [] });
}

const PAGE_PROPERTY = /^([\p{L}][\p{L}\p{N}_-]*)::(?:[ \t]+(.*))?$/u;

/** The metadata in the value of a known key; undefined if the value has the wrong type. */
function readKnown(key: string, value: JsonValue): Stated | undefined {
  switch (key) {
    case 'title':
      return stating(asText(value), (title) => ({ title }));
    case 'lang':
      return stating(asLang(value), (lang) => ({ lang }));
    case 'aliases':
      return stating(asTexts(value), (aliases) => ({ aliases }));
    case 'tags':
      return stating(asTexts(value), (tags) => ({ tags }));
    case 'created_at':
      return stating(asTimestamp(value), (createdAt) => ({ createdAt }));
    case 'updated_at':
      return stating(asTimestamp(value), (updatedAt) => ({ updatedAt }));
    case 'source_type':
      return stating(asSourceType(value), (sourceType) => ({ sourceType }));
    case 'trust_level':
      return stating(asTrustLevel(value), (trustLevel) => ({ trustLevel }));
    default:
      return stating(asText(value), (userIdAlias) => ({ userIdAlias }));
  }
}

function stating<T>(value: T | undefined, statement: (value: T) => Stated): Stated | undefined {
  return value === undefined ? undefined : statement(value);
}

function warning(note: string): ExtractWarning {
  return { kind: 'malformed_frontmatter', note };
}

function shown(value: JsonValue): string {
  const json = JSON.stringify(value);
  return json.length <= 60 ? json : `${json.slice(0, 59)}…`;
}

// Parsers of the values of known keys. Each returns undefined for a value of the wrong type.

/** A scalar as one line. */
function asText(value: JsonValue): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
    : undefined;
}

/**
 * Converts a list of scalars to a list of strings without empty items. A single text is a list with commas, or with blanks if each item is
 * a hash tag; brackets around the whole or around items, as in `[[Page]]`, do not count.
 */
function asTexts(value: JsonValue): readonly string[] | undefined {
  if (typeof value === 'string') {
    const separator = /^#\S+(?:\s+#\S+)+$/.test(value.trim()) ? /[\s,،、，]+/ : /[,،、，\n]/;
    return value
      .split(separator)
      .map(withoutBrackets)
      .filter((item) => item !== '');
  }
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  const texts = items.filter((item) => item !== null && item !== '').map(asText);
  return texts.includes(undefined) ? undefined : texts.filter((text) => text !== undefined);
}

function withoutBrackets(item: string): string {
  return item
    .replaceAll(/^[\s[]+|[\s\]]+$/g, '')
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
}

function asLang(value: JsonValue): string | undefined {
  const tag = typeof value === 'string' ? /^([A-Za-z]{2,3})(?:[-_][A-Za-z0-9]+)*$/.exec(value.trim()) : null;
  return tag?.[1]?.toLowerCase();
}

function asTimestamp(value: JsonValue): Date | undefined {
  return typeof value === 'string' ? parseTimestamp(value) : undefined;
}

function asSourceType(value: JsonValue): SourceType | undefined {
  return SOURCE_TYPES.find((type) => type === value);
}

function asTrustLevel(value: JsonValue): TrustLevel | undefined {
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
