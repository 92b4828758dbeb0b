/** Words that say nothing about which piece of code is meant. */
const EMPTY_WORDS = new Set(
  'a an and are as at be by do does for from how i if in into is it its not of on or that the this to what when where which with you your'.split(
    ' ',
  ),
);
/** An acronym, with an s or without; a word of letters with case; letters without; a number. */
const WORD = /\p{Lu}{2,}s(?!\p{L})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{M}]+|\p{N}+/gu;
const SUFFIX = /(?:ations?|ings?|ers?|ors?|ed|es|s|e)$/;

/**
 * The words that a name or a sentence is made of, split at `_`, case changes and digits, lower case and cut to what their
 * forms share, in order: `parseHTTPUrls` is `pars`, `http`, `url`; so is "parsing of HTTP URLs".
 */
export function nameParts(text: string): readonly string[] {
  const words = text.match(WORD) ?? [];
  const parts = words.map((word) => word.toLowerCase()).filter((word) => !EMPTY_WORDS.has(word));
  return [...new Set(parts.map(stem))].filter((part) => part.length > 1);
}

/** Crude on purpose: it is only ever compared with itself. */
function stem(word: string): string {
  if (word.length < 4) return word;
  const plain = word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(SUFFIX, '');
  return plain.length < 2 ? word : plain;
}
