import type { TextRange } from '../domain/block.ts';
import { safeCut, utf8Length } from '../domain/text-size.ts';

/** A text with its sizer; created once per document. */
export interface SizedText {
  readonly text: string;
  readonly sizer: TextSizer;
}

/** A range that may begin with headings, which must not form a piece by themselves. */
export interface HeadedRange extends TextRange {
  /** Where its content begins, after the headings; `start` by default. */
  readonly contentStart?: number;
}

/**
 * Cuts a range into pieces of at most `maxTokens`, each as long as possible, at line ends. A single longer line is cut between characters,
 * after white space if the second half of the piece has some. Headings stay with some of their content if they fit at all. Pieces do not
 * begin with white space, except for the indentation of their first line, and none is blank.
 */
export function cutAtLines({ text, sizer }: SizedText, range: HeadedRange, maxTokens: number): readonly TextRange[] {
  const contentStart = range.contentStart ?? range.start;
  const pieces: TextRange[] = [];
  let start = range.start;
  while (start < range.end) {
    const reach = sizer.reach(start, range.end, maxTokens);
    const min = contentStart < reach ? Math.max(start, contentStart) : start;
    const end = reach === range.end ? reach : cutBefore(text, { start, min, reach });
    const piece = trimmed(text, start, end);
    if (piece !== undefined) pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** The end of the piece that begins at `start`; always after it, since a character that exceeds the budget by itself is kept whole. */
function cutBefore(text: string, at: { readonly start: number; readonly min: number; readonly reach: number }): number {
  const { start, min, reach } = at;
  if (text.charAt(reach) === '\n' && reach > min) return reach;
  const newline = text.slice(min, reach).lastIndexOf('\n');
  if (newline > 0) return min + newline + 1;
  const floor = Math.max(min, start + Math.floor((reach - start) / 2));
  for (let end = reach; end > floor; end--) if (/\s/.test(text.charAt(end - 1))) return end;
  const cut = safeCut(text, reach);
  return cut > start ? cut : start + 2;
}

/** Trims white space from both ends of a piece, except for the indentation of a line; undefined if nothing is left. */
function trimmed(text: string, start: number, end: number): TextRange | undefined {
  const slice = text.slice(start, end);
  const first = slice.search(/\S/);
  if (first === -1) return undefined;
  const newline = slice.lastIndexOf('\n', first);
  const atLineStart = newline !== -1 || start === 0 || text.charAt(start - 1) === '\n';
  return { start: start + (atLineStart ? newline + 1 : first), end: start + slice.trimEnd().length };
}

/** Measures ranges of one text. For an ASCII text the length suffices; otherwise each range is scanned. */
export class TextSizer {
  readonly #text: string;
  readonly #ascii: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#ascii = utf8Length(text) === text.length;
  }

  /** The UTF-8 bytes of the range `[start, end)`. */
  bytes(start: number, end: number): number {
    return this.#ascii ? end - start : utf8Length(this.#text.slice(start, end));
  }

  /** The `est` tokens of the range `[start, end)`: UTF-8 bytes / 3, rounded up. */
  tokens(start: number, end: number): number {
    return Math.ceil(this.bytes(start, end) / 3);
  }

  /** The largest offset up to `end` such that `[start, offset)` has at most `maxTokens`; it may lie inside a character. */
  reach(start: number, end: number, maxTokens: number): number {
    let low = start;
    let high = Math.min(end, start + maxTokens * 3);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.bytes(start, middle) <= maxTokens * 3) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

const SENTENCE_END = /[.?!]["'”’»)\]]*\s+|[。？！][」』”’）]*\s*/g;

/**
 * The offsets within `(start, end)` at which a sentence begins: after `.`, `?` or `!` and white space, or after `。`, `？` or `！`. Closing
 * quotes and brackets belong to the sentence they close. `start` itself is not included.
 */
export function sentenceStarts(text: string, start: number, end: number): readonly number[] {
  const starts: number[] = [];
  for (const match of text.slice(start, end).matchAll(SENTENCE_END)) {
    const offset = start + match.index + match[0].length;
    if (offset < end) starts.push(offset);
  }
  return starts;
}

/** A range of text that is not split between chunks: a block, a sentence, a list item. */
export interface ChunkUnit extends TextRange {
  /** Whether the unit begins a section or a page, and so a new chunk without overlap. */
  readonly opens: boolean;
  /** Where the unit's content begins, after its leading headings; `start` if it has none. */
  readonly contentStart: number;
  /** Whether an overlap may begin at `contentStart`, because a block or a sentence begins there. */
  readonly anchor: boolean;
  /** Whether an overlap may begin at a sentence within the unit. */
  readonly prose: boolean;
}

/** How many characters before the overlap the search for a sentence end begins. */
const SENTENCE_END_CHARS = 20;

/** The size limits of {@link packSlices}, in `est` tokens. */
export interface PackLimits {
  readonly targetTokens: number;
  readonly overlapTokens: number;
}

/**
 * Joins units into slices, in order, as long as a slice stays within the target; a single unit may exceed it. The next slice of the same
 * section begins up to `overlapTokens` earlier, at the start of a block or sentence after the section's heading, if it then stays within
 * the target; if there is no such start, it does not overlap.
 */
export function packSlices(sized: SizedText, units: readonly ChunkUnit[], limits: PackLimits): readonly TextRange[] {
  const slices: TextRange[] = [];
  let first = 0;
  let start = units[0]?.start ?? 0;
  let bytes = 0;
  for (const [at, unit] of units.entries()) {
    const next = units[at + 1];
    bytes += at === 0 ? sized.sizer.bytes(start, unit.end) : 0;
    const grown = next === undefined ? 0 : bytes + sized.sizer.bytes(unit.end, next.end);
    if (next !== undefined && !next.opens && grown <= limits.targetTokens * 3) {
      bytes = grown;
      continue;
    }
    slices.push({ start, end: unit.end });
    if (next === undefined) break;
    start = next.start;
    if (next.opens || next.contentStart > next.start) first = at + 1;
    else start = overlapStart(sized, { units, first, next: at + 1 }, { slices, limits }) ?? start;
    bytes = sized.sizer.bytes(start, next.end);
  }
  return slices;
}

/** The earliest start of an overlap: after the heading, within the last slice only, and within the overlap and target sizes. */
function overlapStart(
  { text, sizer }: SizedText,
  { units, first, next }: { readonly units: readonly ChunkUnit[]; readonly first: number; readonly next: number },
  { slices, limits }: { readonly slices: readonly TextRange[]; readonly limits: PackLimits },
): number | undefined {
  const last = slices.at(-1);
  const end = units[next]?.end;
  if (last === undefined || end === undefined || limits.overlapTokens === 0) return undefined;
  const min = Math.max(last.start + 1, slices.at(-2)?.end ?? 0, units[first]?.contentStart ?? 0);
  const fits = (from: number): boolean =>
    from >= min &&
    sizer.bytes(from, last.end) <= limits.overlapTokens * 3 &&
    sizer.bytes(from, end) <= limits.targetTokens * 3;
  let best: number | undefined;
  for (let at = next - 1; at >= first; at--) {
    const unit = units[at];
    if (unit === undefined) break;
    const near = Math.max(unit.contentStart, last.end - limits.overlapTokens * 3 - SENTENCE_END_CHARS);
    if (unit.prose) best = sentenceStarts(text, near, unit.end).find(fits) ?? best;
    if (!fits(unit.contentStart)) break;
    if (unit.anchor) best = unit.contentStart;
  }
  return best;
}
