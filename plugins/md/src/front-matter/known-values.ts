import { SOURCE_TYPES, TRUST_LEVELS, type JsonValue, type SourceType, type TrustLevel } from '@kebab/core';
import { parseTimestamp } from './timestamp.ts';

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
