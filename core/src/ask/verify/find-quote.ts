import type { TextRange } from '../../domain/block.ts';

/** Letters of scripts that put no space between words: a quotation may begin and end inside a run of them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{Nd}/u;

/**
 * Where a quotation stands in a passage word for word, both in NFC and with white space folded. A word or number that goes
 * on beyond the quotation is another word: `195` does not stand in `1950`. The range counts in the NFC form of the passage.
 */
export function findQuote(passage: string, quote: string): TextRange | null {
  const words = quote.normalize('NFC').trim().split(/\s+/);
  if (words[0] === '' || words.length === 0) return null;
  const text = passage.normalize('NFC');
  const pattern = new RegExp(words.map(escaped).join(String.raw`\s+`), 'gu');
  for (const match of text.matchAll(pattern)) {
    const range = { start: match.index, end: match.index + match[0].length };
    if (!goesOn(text, range.start, -1) && !goesOn(text, range.end, 1)) return range;
  }
  return null;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** Whether the word or number at an edge of a range continues outside of it. */
function goesOn(text: string, edge: number, outward: 1 | -1): boolean {
  const inside = characterAt(text, edge, outward === 1 ? -1 : 1);
  const outside = characterAt(text, edge, outward);
  if (inside === '' || outside === '' || UNSPACED.test(inside) || UNSPACED.test(outside)) return false;
  if (DIGIT.test(inside)) {
    if (DIGIT.test(outside)) return true;
    const beyond = characterAt(text, edge + outward * outside.length, outward);
    return /[.,]/.test(outside) && DIGIT.test(beyond);
  }
  return LETTER.test(inside) && LETTER.test(outside);
}

/** The character on one side of an offset. */
function characterAt(text: string, offset: number, side: 1 | -1): string {
  if (side === 1) return offset >= text.length ? '' : String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return Array.from(text.slice(Math.max(0, offset - 2), offset)).at(-1) ?? '';
}
