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
  return findFoldedQuote(foldText(passage), quote);
}

/** Like {@link findQuote}, in a passage that is folded already. The range counts in the original passage. */
export function findFoldedQuote({ text, origins }: FoldedText, quote: string): TextRange | null {
  const parts = foldText(quote)
    .text.split(ELLIPSIS)
    .map((part) => part.replaceAll(EDGES, ''))
    .filter((part) => part !== '');
  if (parts.length === 0) return null;
  for (let first = indexOfWords(text, parts[0] ?? '', 0); first !== -1;) {
    let end = first + (parts[0]?.length ?? 0);
    for (const part of parts.slice(1)) {
      const at = end === -1 ? -1 : indexOfWords(text, part, end);
      end = at === -1 ? -1 : at + part.length;
    }
    if (end !== -1) return { start: origins[first] ?? 0, end: origins[end] ?? 0 };
    first = indexOfWords(text, parts[0] ?? '', first + 1);
  }
  return null;
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
 * which it does not stand, keep their URI.
 */
export function narrowCitation({ citation, text }: NumberedEvidence, quote: string): string {
  if (citation.kind !== 'line' && citation.kind !== 'code') return citation.uri;
  const range = findQuote(text, quote);
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
