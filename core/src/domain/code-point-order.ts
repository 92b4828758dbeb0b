/**
 * Compares two strings by code point, the order of every listing. It differs from `<` only where a character beyond U+FFFF meets one from
 * U+E000 to U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x < 0xd800 || y < 0xd800 ? x - y : rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Sorts surrogates after the rest of the basic plane. */
function rank(unit: number): number {
  return unit < 0xe000 ? unit + 0x2800 : unit;
}
