/** A value that JSON can represent, without `undefined` in arrays. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * RFC 8785 canonical JSON with every string first normalised to NFC: keys sorted by UTF-16 code units, no white space, numbers in
 * ECMAScript form, array order kept. Equal values give equal text, whatever the order of their keys.
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'));
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value)
    .map(([key, member]) => [key.normalize('NFC'), member] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

function isList(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Deep-freezes a value and returns it. A value that is already frozen is assumed to be deeply frozen. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}

/** Rounds a number to six significant digits. */
export function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}
