/** A word that a hyphen parts at the end of a line; only a small letter behind it says that it is one word. */
const HYPHENATED = /([\p{L}\p{M}]+)[-\u00AD\u2010]\n([\p{L}\p{M}]+)/gu;
/** Scripts without hyphens break lines anywhere: Hangul, Han and kana on both sides of a line end may be one word. */
const UNMARKED =
  /([\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{1,10})\n(?=([\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{1,10}))/gu;

/**
 * The words of a text that line ends cut, put together again, so that a search finds "information" where the page has
 * "infor-" and "mation". Without repetition, in order.
 */
export function healedWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [, before = '', behind = ''] of text.matchAll(HYPHENATED))
    if (!/^\p{Lu}/u.test(behind)) words.add(before + behind);
  for (const [, before = '', behind = ''] of text.matchAll(UNMARKED)) words.add(before + behind);
  return [...words];
}
