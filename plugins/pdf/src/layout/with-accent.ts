/** Accents that take room of their own, by those that stand on the letter before them. */
const COMBINING: Readonly<Record<string, string>> = {
  '\u0060': '\u0300',
  '\u00B4': '\u0301',
  '\u02C6': '\u0302',
  '\u02DC': '\u0303',
  '\u00AF': '\u0304',
  '\u02D8': '\u0306',
  '\u02D9': '\u0307',
  '\u00A8': '\u0308',
  '\u02DA': '\u030A',
  '\u02DD': '\u030B',
  '\u02C7': '\u030C',
  '\u00B8': '\u0327',
  '\u02DB': '\u0328',
};
const DOTTED: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j' };

/**
 * Joins two pieces of which one stands over the other: an accent and its letter become one character, as in "naïve"
 * written with a dotless i. Undefined where there is no such character.
 */
export function withAccent(before: string, behind: string): string | undefined {
  const [end, start] = [before.slice(-1), behind.slice(0, 1)];
  const letter = accented(start, end) ?? accented(end, start);
  return letter === undefined ? undefined : before.slice(0, -1) + letter + behind.slice(1);
}

function accented(letter: string, accent: string): string | undefined {
  const mark = COMBINING[accent];
  if (mark === undefined || !/\p{L}/u.test(letter)) return undefined;
  const composed = ((DOTTED[letter] ?? letter) + mark).normalize('NFC');
  return composed.length === 1 ? composed : undefined;
}
