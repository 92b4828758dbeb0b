import type { NumberedEvidence } from '../retrieval/evidence.ts';
import type { TextRange } from '../../domain/block.ts';
import { formatUri } from '../../domain/uri.ts';

/** A quotation and the passage it is held against. */
export interface CheckedQuote {
  /** The first of the markers behind it. */
  readonly at: number;
  readonly number: number;
  readonly text: string;
  readonly verified: boolean;
}

/**
 * Holds the quotation before each group of markers against the passages that the group cites. It counts for the passages
 * it stands in; one that stands in none counts, unverified, for all of them.
 */
export function verifyQuotes(
  text: string,
  groups: readonly MarkerGroup[],
  passages: readonly NumberedEvidence[],
): readonly CheckedQuote[] {
  return groups.flatMap((group) => {
    const at = group[0]?.start ?? 0;
    const quote = quotationBefore(text, at);
    if (quote === null) return [];
    const numbers = [...new Set(group.map(({ number }) => number))];
    const holding = numbers.filter((number) => {
      const passage = passages.find((each) => each.number === number);
      return passage !== undefined && findQuote(passage.text, quote) !== null;
    });
    const verified = holding.length > 0;
    return (verified ? holding : numbers).map((number) => ({ at, number, text: quote, verified }));
  });
}

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
  // NFC changes no line feed, so the offsets may count in either form.
  const normal = text.normalize('NFC');
  const start = Math.min(last, first + lineFeeds(normal.slice(0, range.start)));
  const end = Math.min(last, start + lineFeeds(normal.slice(range.start, range.end)));
  return formatUri({ path: citation.path, fragment: { kind: 'line', start, end } });
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1;
}

const PAIRS: Readonly<Record<string, string>> = { '”': '“', '」': '「', '』': '『', '»': '«' };
const BETWEEN = /[\s.,;:!?。．、，！？]*$/;

/**
 * The quotation that ends right before an offset, without its marks: nothing but white space and the punctuation of its
 * sentence may stand between. Null when there is none.
 */
export function quotationBefore(text: string, offset: number): string | null {
  const head = text.slice(0, offset);
  const close = head.length - (BETWEEN.exec(head)?.[0].length ?? 0) - 1;
  const mark = head[close] ?? '';
  const open = mark === '"' ? straightOpening(head, close) : openingOf(head, close, PAIRS[mark]);
  if (open === -1) return null;
  const quote = head.slice(open + 1, close).trim();
  return quote === '' ? null : quote;
}

function openingOf(text: string, close: number, opening: string | undefined): number {
  if (opening === undefined) return -1;
  const closing = text[close];
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (text[at] === closing) depth++;
    else if (text[at] === opening && --depth === 0) return at;
  }
  return -1;
}

/** Straight quotes do not tell which side they are on: what stands beside them does. Else the nearest one is taken. */
function straightOpening(text: string, close: number): number {
  let depth = 1;
  for (let at = text.lastIndexOf('"', close - 1); at >= 0; at = at === 0 ? -1 : text.lastIndexOf('"', at - 1)) {
    if (isParagraphBetween(text, at, close)) break;
    depth += opens(text, at) ? -1 : 1;
    if (depth === 0) return at;
  }
  return close === 0 ? -1 : text.lastIndexOf('"', close - 1);
}

function opens(text: string, at: number): boolean {
  const before = text[at - 1] ?? ' ';
  const after = text[at + 1] ?? ' ';
  return /[\s([{<*_—–\-/:]/.test(before) && /\S/.test(after);
}

function isParagraphBetween(text: string, from: number, to: number): boolean {
  return text.slice(from, to).includes('\n\n');
}

/** One marker in what a model wrote. */
export interface Marker {
  readonly number: number;
  /** Where it stands: `[start, end)` in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Markers that stand together, with nothing but white space between them. */
type MarkerGroup = readonly Marker[];

/** Every marker `[#n]` with n from 1 to `passages`, in order. */
export function parseMarkers(text: string, passages: number): readonly Marker[] {
  return [...text.matchAll(/\[#(\d{1,3})\]/g)]
    .map((match) => ({ number: Number(match[1]), start: match.index, end: match.index + match[0].length }))
    .filter(({ number }) => number >= 1 && number <= passages);
}

/** Markers in groups: those that follow one another directly cite the same words. */
export function groupMarkers(text: string, markers: readonly Marker[]): readonly MarkerGroup[] {
  const groups: Marker[][] = [];
  for (const marker of markers) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && /^\s*$/.test(text.slice(before.end, marker.start)))
      last.push(marker);
    else groups.push([marker]);
  }
  return groups;
}
