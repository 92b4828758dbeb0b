/**
 * What anyone may name a file: the title and colour of a terminal, a cleared screen, text that runs backwards, a line of its
 * own that looks like one of ours, and half a character.
 */
export const HOSTILE =
  '\u001b]0;PWNED\u0007\u001b[31mRED\u001b[2J\u202ertl\u007f\u009b31m\u2028ls\u200f\u061c\u2066\ud800\nFORGED line\rback';

// Members that commands decide by, which are kebab's own words on every wire.
const DECIDING =
  /^(?:schema_version|kind|freshness|status|mode|method|outcome|stage|state|fs|refusal_reason|marker|media|origin|ts|error_code)$/;
/** Members whose keys are names from outside. */
const NAMED = /(?:_breakdown|_version|_by_extension|^user)$/;

/** The same value with {@link HOSTILE} behind every text that is not one of kebab's own words. */
export function hostile<T>(value: T, member = ''): T {
  if (typeof value === 'string') return (DECIDING.test(member) ? value : `${value}${HOSTILE}`) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => hostile(each, member)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    NAMED.test(member) ? `${key}${HOSTILE}` : key,
    hostile(each, key),
  ]);
  return Object.fromEntries(entries) as T;
}
