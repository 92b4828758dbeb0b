import type { TextRange } from '../domain/block.ts';
import type { ChunkPolicy } from '../domain/document.ts';
import { cutAtLines, type ChunkUnit, type SizedText, sentenceStarts } from './cut-at-lines.ts';

/** A piece of prose; `anchor` tells whether it begins at the start of a block, an item or a sentence. */
export interface ProsePiece extends TextRange {
  readonly anchor: boolean;
}

/** The size limits of {@link prosePieces}, in `est` tokens. */
type ProseLimits = Pick<ChunkPolicy, 'targetTokens' | 'maxChunkTokens'>;

/**
 * Cuts a range of prose that is too long into pieces that can be packed again: at the given item starts; an item above the target at its
 * sentences; a sentence above the target at its lines; a line above `maxChunkTokens` between characters. Pieces are in order and omit nothing
 * but white space.
 */
export function prosePieces(
  sized: SizedText,
  range: TextRange,
  { itemStarts = [], ...limits }: ProseLimits & { readonly itemStarts?: readonly number[] },
): readonly ProsePiece[] {
  const fits = (piece: TextRange): boolean => sized.sizer.tokens(piece.start, piece.end) <= limits.targetTokens;
  const pieces: ProsePiece[] = [];
  for (const item of split(sized.text, range, itemStarts)) {
    if (fits(item)) pieces.push({ start: item.start, end: item.end, anchor: true });
    else
      for (const sentence of split(sized.text, item, sentenceStarts(sized.text, item.start, item.end))) {
        if (fits(sentence)) pieces.push({ start: sentence.start, end: sentence.end, anchor: true });
        else pieces.push(...linePieces(sized, sentence, limits));
      }
  }
  return pieces;
}

/** The units of ranges of prose that begin no section: each whole if it fits into the target, otherwise in {@link prosePieces}. */
export function proseUnits(sized: SizedText, ranges: readonly TextRange[], limits: ProseLimits): readonly ChunkUnit[] {
  const pieces = ranges.flatMap(({ start, end }) =>
    sized.sizer.tokens(start, end) <= limits.targetTokens
      ? [{ start, end, anchor: true }]
      : prosePieces(sized, { start, end }, limits),
  );
  return pieces.map((piece) => ({ ...piece, opens: false, contentStart: piece.start, prose: true }));
}

/** Lines are packed up to the target right away, since nothing is gained by keeping them apart. */
function linePieces(sized: SizedText, sentence: TextRange, limits: ProseLimits): readonly ProsePiece[] {
  const pieces: TextRange[] = [];
  for (const line of split(sized.text, sentence, lineStarts(sized.text, sentence))) {
    const last = pieces.at(-1);
    if (last !== undefined && sized.sizer.tokens(last.start, line.end) <= limits.targetTokens)
      pieces[pieces.length - 1] = { start: last.start, end: line.end };
    else pieces.push(line);
  }
  return pieces
    .flatMap((piece) =>
      sized.sizer.tokens(piece.start, piece.end) <= limits.maxChunkTokens
        ? [piece]
        : cutAtLines(sized, piece, limits.maxChunkTokens),
    )
    .map((piece, at) => ({ start: piece.start, end: piece.end, anchor: at === 0 }));
}

function lineStarts(text: string, { start, end }: TextRange): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf('\n', start); at !== -1 && at + 1 < end; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  return starts;
}

/** The parts of a range between its start, the given offsets and its end, without trailing white space. */
function split(text: string, { start, end }: TextRange, offsets: readonly number[]): readonly TextRange[] {
  const parts: TextRange[] = [];
  let from = start;
  for (const offset of [...offsets, end]) {
    if (offset <= from || offset > end) continue;
    const length = text.slice(from, offset).trimEnd().length;
    if (length > 0) parts.push({ start: from, end: from + length });
    from = offset;
  }
  return parts;
}

/** A run of lines: its range without the final newline, and its 1-based line numbers, both inclusive. */
interface Paragraph extends TextRange {
  readonly firstLine: number;
  readonly lastLine: number;
}

/**
 * The paragraphs of a text, or of a range of it whose first line is then 1, in order: runs of lines that are not blank. A paragraph begins at
 * the start of its first line and ends at the end of its last.
 */
export function paragraphsOf(text: string, range: TextRange = { start: 0, end: text.length }): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: { readonly start: number; readonly firstLine: number } | undefined;
  let end = 0;
  let line = 0;
  for (let at = range.start; at < range.end; line++) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 || newline > range.end ? range.end : newline;
    if (!isBlank(text, at, lineEnd)) {
      open ??= { start: at, firstLine: line + 1 };
      end = lineEnd;
    } else if (open !== undefined) {
      paragraphs.push({ ...open, end, lastLine: line });
      open = undefined;
    }
    at = lineEnd + 1;
  }
  if (open !== undefined) paragraphs.push({ ...open, end, lastLine: line });
  return paragraphs;
}

/** Usually decided by the first character. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x20 && unit < 0x80) return false;
    if (unit !== 0x20 && unit !== 0x09) return !/\S/.test(text.slice(at, end));
  }
  return true;
}
