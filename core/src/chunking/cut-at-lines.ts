import type { TextRange } from '../domain/block.ts';
import { safeCut, utf8Length } from '../domain/text-size.ts';

/** A text with what is needed to measure it; made once for each document. */
export interface SizedText {
  readonly text: string;
  readonly sizer: TextSizer;
}

/** A range that may begin with headings, which are not to stand alone. */
export interface HeadedRange extends TextRange {
  /** Where its words begin, behind the headings; `start` by default. */
  readonly contentStart?: number;
}

/**
 * Cuts a range into pieces of at most `maxTokens`: at line ends, as far on as possible; a single line that is longer is cut
 * between characters, behind white space where the second half of the piece has some. Headings keep some of the content
 * with them if they fit at all. Pieces begin at a character that is not white space (but keep the indentation of a line
 * they begin with) and none is blank.
 */
export function cutAtLines({ text, sizer }: SizedText, range: HeadedRange, maxTokens: number): readonly TextRange[] {
  const contentStart = range.contentStart ?? range.start;
  const pieces: TextRange[] = [];
  let start = range.start;
  while (start < range.end) {
    const reach = sizer.reach(start, range.end, maxTokens);
    const least = contentStart < reach ? Math.max(start, contentStart) : start;
    const end = reach === range.end ? reach : cutBefore(text, { start, least, reach });
    const piece = trimmed(text, start, end);
    if (piece !== undefined) pieces.push(piece);
    start = end;
  }
  return pieces;
}

/** Always moves on: a character that alone exceeds the budget is taken whole. */
function cutBefore(
  text: string,
  at: { readonly start: number; readonly least: number; readonly reach: number },
): number {
  const { start, least, reach } = at;
  if (text.charAt(reach) === '\n' && reach > least) return reach;
  const newline = text.slice(least, reach).lastIndexOf('\n');
  if (newline > 0) return least + newline + 1;
  const floor = Math.max(least, start + Math.floor((reach - start) / 2));
  for (let behind = reach; behind > floor; behind--) if (/\s/.test(text.charAt(behind - 1))) return behind;
  const cut = safeCut(text, reach);
  return cut > start ? cut : start + 2;
}

/** The piece without white space at its ends, but for the indentation of a line; undefined when nothing is left. */
function trimmed(text: string, start: number, end: number): TextRange | undefined {
  const slice = text.slice(start, end);
  const first = slice.search(/\S/);
  if (first === -1) return undefined;
  const newline = slice.lastIndexOf('\n', first);
  const atLineStart = newline !== -1 || start === 0 || text.charAt(start - 1) === '\n';
  return { start: start + (atLineStart ? newline + 1 : first), end: start + slice.trimEnd().length };
}

/** Answers how large ranges of one text are. A text of ASCII alone is looked at once; of any other, each range asked for. */
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
 * The offsets inside `(start, end)` at which a sentence begins: behind `.`, `?` or `!` and white space, or behind `。`,
 * `？` or `！`; closing quotes and brackets belong to the sentence they close. `start` itself is not among them.
 */
export function sentenceStarts(text: string, start: number, end: number): readonly number[] {
  const starts: number[] = [];
  for (const match of text.slice(start, end).matchAll(SENTENCE_END)) {
    const offset = start + match.index + match[0].length;
    if (offset < end) starts.push(offset);
  }
  return starts;
}

/** A stretch of text that a chunk holds whole: a block, a sentence, a list item. */
export interface ChunkUnit extends TextRange {
  /** Whether a new chunk begins here, with no overlap: the unit opens a section or a page. */
  readonly opens: boolean;
  /** Where the unit's words begin, behind the headings it starts with; `start` when it has none. */
  readonly contentStart: number;
  /** Whether an overlap may begin at `contentStart`: a block or a sentence starts there. */
  readonly anchor: boolean;
  /** Whether an overlap may begin at a sentence inside. */
  readonly prose: boolean;
}

/** How far before the overlap the end of the sentence before it is looked for. */
const SENTENCE_END_CHARS = 20;

/** The sizes that {@link packSlices} keeps, in `est` tokens. */
export interface PackLimits {
  readonly targetTokens: number;
  readonly overlapTokens: number;
}

/**
 * Joins units to slices, in order, while a slice stays within the target; a single unit may exceed it. The next slice of
 * the same section begins up to `overlapTokens` earlier, at a block or sentence start behind the section's heading, as
 * long as that leaves the target kept; if there is no such start it does not overlap.
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

/** The earliest start that is allowed: behind the heading, in the last slice alone, within overlap and target. */
function overlapStart(
  { text, sizer }: SizedText,
  { units, first, next }: { readonly units: readonly ChunkUnit[]; readonly first: number; readonly next: number },
  { slices, limits }: { readonly slices: readonly TextRange[]; readonly limits: PackLimits },
): number | undefined {
  const last = slices.at(-1);
  const end = units[next]?.end;
  if (last === undefined || end === undefined || limits.overlapTokens === 0) return undefined;
  const least = Math.max(last.start + 1, slices.at(-2)?.end ?? 0, units[first]?.contentStart ?? 0);
  const fits = (from: number): boolean =>
    from >= least &&
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
