import type { NumberedEvidence } from '../retrieval/evidence.ts';
import type { TextRange } from '../../domain/block.ts';
import { formatUri } from '../../domain/uri.ts';
import { foldText, type FoldedText } from './fold-text.ts';

/** Letters of scripts that put no space between words: a quotation may begin and end inside a run of them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\p{Nd}/u;
const ELLIPSIS = /\s*(?:[[(]\s*\.{3,}\s*[\])]|\.{3,})\s*/;
const EDGES = /^[\s.,;:!?"'。、，！？-]+|[\s.,;:!?"'。、，！？-]+$/g;

/**
 * Where a quotation stands in a passage word for word; what folds does not count, and the parts around an ellipsis stand in
 * their order. A word or number that goes on beyond the quotation is another word: `195` does not stand in `1950`.
 */
export function findQuote(passage: string, quote: string): TextRange | null {
  return findFoldedQuote(foldText(passage), foldedQuotation(quote));
}

/** The parts of a quotation around its ellipses, in the form in which they are compared. */
export function foldedQuotation(quote: string): readonly string[] {
  return foldText(quote)
    .text.split(ELLIPSIS)
    .map((part) => part.replaceAll(EDGES, ''))
    .filter((part) => part !== '');
}

/** Like {@link findQuote}, with a passage and a quotation that are folded already. The range counts in the original passage. */
export function findFoldedQuote({ text, origins }: FoldedText, parts: readonly string[]): TextRange | null {
  if (parts.length === 0) return null;
  const first = indexOfWords(text, parts[0] ?? '', 0);
  let end = first;
  // Where the first of each leads nowhere, no later one leads further.
  for (const part of parts) {
    const at = end === -1 ? -1 : indexOfWords(text, part, end);
    if (at === -1) return null;
    end = at + part.length;
  }
  return { start: origins[first] ?? 0, end: origins[end] ?? 0 };
}

function indexOfWords(text: string, words: string, from: number): number {
  for (let at = text.indexOf(words, from); at !== -1; at = text.indexOf(words, at + 1))
    if (!goesOn(text, at, -1) && !goesOn(text, at + words.length, 1)) return at;
  return -1;
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

/**
 * The URI of a passage, narrowed to the lines on which a quotation stands. Passages that are not cited by lines, and those in
 * which it does not stand, keep their URI. `folded` is the text of the passage, where it is known already.
 */
export function narrowCitation(
  { citation, text }: NumberedEvidence,
  quote: string,
  folded: () => FoldedText = () => foldText(text),
): string {
  if (citation.kind !== 'line' && citation.kind !== 'code') return citation.uri;
  const range = findFoldedQuote(folded(), foldedQuotation(quote));
  if (range === null) return citation.uri;
  const first = citation.kind === 'line' ? citation.start : citation.line_start;
  const last = citation.kind === 'line' ? citation.end : citation.line_end;
  const start = Math.min(last, first + lineFeeds(text.slice(0, range.start)));
  const end = Math.min(last, start + lineFeeds(text.slice(range.start, range.end).trimEnd()));
  return formatUri({
    sourceId: citation.source_id ?? null,
    path: citation.path,
    fragment: { kind: 'line', start, end },
  });
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1;
}
