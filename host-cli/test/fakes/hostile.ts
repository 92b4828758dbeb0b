/**
 * A hostile file name: it sets the title and colour of a terminal, clears the screen, reverses text, adds a line that looks like kebab's
 * output, and ends in a lone surrogate.
 */
export const HOSTILE =
  '\u001b]0;PWNED\u0007\u001b[31mRED\u001b[2J\u202ertl\u007f\u009b31m\u2028ls\u200f\u061c\u2066\ud800\nFORGED line\rback';

// Members that control commands and always contain kebab's own values.
const DECIDING =
  /^(?:schema_version|kind|freshness|status|mode|method|outcome|stage|state|fs|refusal_reason|marker|media|origin|ts|error_code)$/;
/** Members whose keys are untrusted names. */
const NAMED = /(?:_breakdown|_version|_by_extension|^user)$/;

/** Appends {@link HOSTILE} to every string of a value that is not one of kebab's own values. */
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
