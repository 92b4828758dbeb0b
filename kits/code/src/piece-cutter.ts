import { type TextRange, LineIndex } from '@kebab/plugin';

/** A part of a file with its symbol. */
export interface Piece extends TextRange {
  readonly symbol: string;
}

/** The symbol of code between the units of a file. */
const TOP_LEVEL = '<top-level>';
/** The symbol of a file without any unit. */
const WHOLE_MODULE = '<module>';

/** A unit or container found by the walk (`header`: a container followed by its members). Offsets into the text. */
interface Found {
  readonly role: 'unit' | 'header';
  readonly symbol: string;
  /** The start of its leading comments and attributes. */
  readonly from: number;
  /** Its own start. */
  readonly start: number;
}

interface Stretch {
  readonly start: number;
  readonly symbol: string;
  readonly role: Found['role'] | 'rest';
  /** The line on which the definition begins. */
  readonly line: number;
}

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/**
 * Cuts a file into pieces at the given units, in order. Pieces consist of whole lines: anything before a unit on its first line and after
 * it on its last belongs to it. Only if two units share a line is the line cut, at the start of the second. The pieces contain every
 * character except white space exactly once.
 */
export class PieceCutter {
  readonly #source: SourceText;
  readonly #stretches: Stretch[] = [{ start: 0, symbol: TOP_LEVEL, role: 'rest', line: 1 }];
  /** The end of the previous unit; text before this offset is already assigned. */
  #floor = 0;
  #anyUnit = false;
  #units = 0;

  constructor(source: SourceText) {
    this.#source = source;
  }

  /** How many units and containers were started. */
  get units(): number {
    return this.#units;
  }

  /** Starts a unit, or a container whose members follow. */
  begin({ role, symbol, from, start }: Found): void {
    const lineStart = this.#source.lineStart(from);
    const line = this.#source.lineAt(start);
    const last = this.#stretches.at(-1);
    let cut = this.#floor > lineStart ? from : lineStart;
    if (last?.role === 'header' && last.line === line) cut = last.start; // `class A { f() {} }`: the header has no line of its own
    while ((this.#stretches.at(-1)?.start ?? 0) > cut) this.#stretches.pop();
    this.#stretches.push({ start: cut, symbol, role, line });
    this.#anyUnit = true;
    this.#units++;
  }

  /** Ends the last started unit; text after it belongs to `symbol`, or to the file. */
  end(offset: number, symbol: string | null): void {
    this.#floor = offset;
    const start = this.#source.nextLine(offset - 1);
    this.#stretches.push({ start, symbol: symbol ?? TOP_LEVEL, role: 'rest', line: this.#source.lineAt(start) });
  }

  /** The pieces, each from its first to its last non-blank line. */
  finish(): readonly Piece[] {
    const pieces: Piece[] = [];
    let carried: Piece | undefined; // punctuation at the top of a file, without a previous piece to join
    for (const [at, { start, symbol, role }] of this.#stretches.entries()) {
      const range = this.#trim(start, this.#stretches[at + 1]?.start ?? this.#source.text.length);
      if (range === null) continue;
      const { end } = range;
      const piece = { start: carried?.start ?? range.start, end, symbol: this.#anyUnit ? symbol : WHOLE_MODULE };
      const before = pieces.at(-1);
      if (role !== 'rest' || this.#holdsWord(range)) {
        pieces.push(piece);
        carried = undefined;
      } else if (before === undefined) carried = piece;
      else pieces[pieces.length - 1] = { start: before.start, end, symbol: before.symbol };
    }
    return carried === undefined ? pieces : [carried];
  }

  #holdsWord({ start, end }: TextRange): boolean {
    return LETTER_OR_DIGIT.test(this.#source.text.slice(start, end));
  }

  #trim(start: number, end: number): TextRange | null {
    const slice = this.#source.text.slice(start, end);
    const first = slice.search(/\S/);
    if (first === -1) return null;
    const last = start + slice.trimEnd().length - 1;
    return {
      start: Math.max(start, this.#source.lineStart(start + first)),
      end: Math.min(end, this.#source.lineEnd(last)),
    };
  }
}

/** A text with fast lookup of lines by offset. Lines are 1-based; the end of a line excludes its newline. */
export class SourceText {
  readonly text: string;
  readonly #lines: LineIndex;

  constructor(text: string) {
    this.text = text;
    this.#lines = new LineIndex(text);
  }

  /** The line of an offset. */
  lineAt(offset: number): number {
    return this.#lines.lineAt(offset);
  }

  /** The start of the line that contains an offset. */
  lineStart(offset: number): number {
    return this.#lines.startOf(this.lineAt(offset));
  }

  /** The end of the line that contains an offset. */
  lineEnd(offset: number): number {
    const next = this.nextLine(offset);
    return this.text.charCodeAt(next - 1) === 10 ? next - 1 : next;
  }

  /** The start of the line after the one that contains an offset; after the last line, the length of the text. */
  nextLine(offset: number): number {
    return this.#lines.startOf(this.lineAt(offset) + 1);
  }

  /** The first and last line that a non-empty range touches. */
  linesOf(start: number, end: number): { readonly start: number; readonly end: number } {
    return this.#lines.linesOf(start, end);
  }
}
