import {
  type Block,
  type CanonicalDocument,
  type ChunkDraft,
  type ChunkPolicy,
  type Chunker,
  safeCut,
  utf8Length,
  type TextRange,
} from '@kebab/plugin';

/** Incremented with every change of where a code chunker cuts. */
const CHUNKER_VERSION = 1;

/** The id and label of a language's chunker: `code-rust-ast-v1`. */
export function chunkerIdOf(lang: string): string {
  return `code-${lang}-ast-v${CHUNKER_VERSION}`;
}

/**
 * Creates one chunk for each block of a code document, labelled with its symbol. A block over `maxUnitLines` lines or `maxChunkTokens`
 * tokens is cut, and its pieces are labelled `X [part i/N]`, or by their columns in a single line without a symbol. Chunks do not overlap.
 */
export class CodeChunker implements Chunker {
  readonly id: string;
  readonly version = '2';
  readonly reads = ['maxUnitLines', 'maxChunkTokens'] as const;
  readonly needs = { spans: ['code'] } as const;

  constructor(lang: string) {
    this.id = chunkerIdOf(lang);
  }

  chunk({ text, blocks }: CanonicalDocument, policy: ChunkPolicy): readonly ChunkDraft[] {
    const limits = { maxLines: policy.maxUnitLines, maxTokens: policy.maxChunkTokens };
    return blocks.flatMap((block) => {
      const { start, end } = block;
      const symbol = block.kind === 'code' ? block.symbol : null;
      if (fits(block, policy)) return [labelled({ start, end }, symbol)];
      const pieces = cutRange(text, { start, end }, limits);
      if (symbol === null && pieces.length > 1 && isOneLine(block))
        return pieces.map((piece) => ({
          ...piece,
          sectionLabel: `columns ${piece.start - start + 1}-${piece.end - start}`,
        }));
      if (symbol === null || pieces.length === 1) return pieces.map((piece) => labelled(piece, symbol));
      return pieces.map((piece, at) => labelled(piece, `${symbol} [part ${at + 1}/${pieces.length}]`));
    });
  }
}

/** Whether a block is certainly within the limits: a UTF-16 unit is at most three bytes, one token. */
function fits({ start, end, sourceSpan }: Block, { maxUnitLines, maxChunkTokens }: ChunkPolicy): boolean {
  if (sourceSpan.kind !== 'code' || end - start > maxChunkTokens) return false;
  return sourceSpan.line_end - sourceSpan.line_start < maxUnitLines;
}

function isOneLine({ sourceSpan }: Block): boolean {
  return sourceSpan.kind === 'code' && sourceSpan.line_start === sourceSpan.line_end;
}

function labelled(range: { readonly start: number; readonly end: number }, symbol: string | null): ChunkDraft {
  const { start, end } = range;
  return symbol === null ? { start, end } : { start, end, symbol, sectionLabel: symbol };
}

/** The maximum size of a piece. A token is up to three bytes of UTF-8. */
export interface CutLimits {
  readonly maxLines: number;
  readonly maxTokens: number;
}

const BYTES_PER_TOKEN = 3;
/** A cut is moved back to a blank line in this last part of the window. */
const SEARCHED_PART = 1 / 5;

interface Line extends TextRange {
  readonly blank: boolean;
}

/**
 * Cuts a range of whole lines into pieces within the limits: at a blank line in the last fifth of the window, otherwise at its last line
 * end; a single line that is too large is cut between characters. Pieces begin and end with non-blank lines; together they contain every
 * character except white space exactly once.
 */
export function cutRange(text: string, range: TextRange, limits: CutLimits): readonly TextRange[] {
  const pieces: TextRange[] = [];
  let at = range.start;
  while (at < range.end) {
    const start = firstWrittenLine(text, at, range.end);
    if (start === null) break;
    const window = growWindow(text, { start, end: range.end }, limits);
    const first = window[0];
    if (first === undefined) {
      const end = endOfLine(text, start, range.end);
      pieces.push(...cutLine(text, { start, end }, limits.maxTokens));
      at = end + 1;
      continue;
    }
    const end = window.at(-1)?.end ?? range.end;
    const kept = end >= range.end ? window : window.slice(0, cutAtBlank(window));
    pieces.push({ start, end: kept.findLast((line) => !line.blank)?.end ?? first.end });
    at = (kept.at(-1) ?? first).end + 1;
  }
  return pieces;
}

/** The lines from `start` on that fit into a window. */
function growWindow(text: string, { start, end }: TextRange, { maxLines, maxTokens }: CutLimits): readonly Line[] {
  const lines: Line[] = [];
  let bytes = 0;
  for (let at = start; at < end && lines.length < maxLines;) {
    const lineEnd = endOfLine(text, at, end);
    const line = text.slice(at, lineEnd);
    bytes += utf8Length(line) + (lines.length === 0 ? 0 : 1);
    if (bytes > maxTokens * BYTES_PER_TOKEN) break;
    lines.push({ start: at, end: lineEnd, blank: line.trim() === '' });
    at = lineEnd + 1;
  }
  return lines;
}

/** How many lines of a full window to keep: up to the last blank line of its last fifth, otherwise all. */
function cutAtBlank(window: readonly Line[]): number {
  const from = Math.max(1, Math.ceil(window.length * (1 - SEARCHED_PART)));
  const blank = window.findLastIndex((line) => line.blank);
  return blank >= from ? blank : window.length;
}

/** The start of the first non-blank line; `at` itself if it is inside that line. */
function firstWrittenLine(text: string, at: number, end: number): number | null {
  let start = at;
  for (let i = at; i < end; i++) {
    const char = text.charAt(i);
    if (char === '\n') start = i + 1;
    else if (char.trim() !== '') return start;
  }
  return null;
}

function endOfLine(text: string, at: number, end: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? end : Math.min(newline, end);
}

function cutLine(text: string, { start, end }: TextRange, maxTokens: number): readonly TextRange[] {
  const pieces: TextRange[] = [];
  for (let at = start; at < end;) {
    const most = fitting(text, { start: at, end }, maxTokens * BYTES_PER_TOKEN);
    const cut = Math.max(at + 1, safeCut(text, most === end ? end : betweenWords(text, at, most)));
    if (text.slice(at, cut).trim() !== '') pieces.push({ start: at, end: cut });
    at = cut;
  }
  return pieces;
}

/** How far before the limit a cut between two words is looked for. */
const MAX_WORD = 100;

/** The last offset up to `most` that does not split a word; `most` itself within a very long one. */
function betweenWords(text: string, start: number, most: number): number {
  const least = Math.max(start + 1, most - MAX_WORD);
  for (let at = most; at >= least; at--) if (!WORD.test(text.charAt(at - 1)) || !WORD.test(text.charAt(at))) return at;
  return most;
}

const WORD = /[\p{L}\p{N}_$]/u;

/** The offset up to which a text takes at most `maxBytes` of UTF-8; half of a surrogate pair counts as two bytes. */
function fitting(text: string, { start, end }: TextRange, maxBytes: number): number {
  let bytes = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    bytes += code < 0x80 ? 1 : code < 0x800 || (code & 0xf800) === 0xd800 ? 2 : 3;
    if (bytes > maxBytes) return i;
  }
  return end;
}
