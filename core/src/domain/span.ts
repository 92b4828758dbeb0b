import { canonicalJson } from './json.ts';

/**
 * The location of a piece of text in its source. This one shape, keys included, is used on the wire, in the database and in ids, hence the
 * snake_case members. Lines and pages are 1-based, line ranges inclusive, offsets half-open.
 */
export type SourceSpan =
  | { readonly kind: 'line'; readonly start: number; readonly end: number }
  | { readonly kind: 'byte'; readonly start: number; readonly end: number }
  | {
      readonly kind: 'page';
      readonly page: number;
      readonly char_start: number | null;
      readonly char_end: number | null;
    }
  | { readonly kind: 'region'; readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | { readonly kind: 'time'; readonly start_ms: number; readonly end_ms: number }
  /** A location of any other kind, named as a reader of the file names it: `cell=12`, `sheet=Q3&row=17-20`. */
  | { readonly kind: 'anchor'; readonly anchor: string }
  | {
      readonly kind: 'code';
      readonly line_start: number;
      readonly line_end: number;
      readonly symbol: string | null;
      readonly lang: string | null;
    };

/** The kinds of {@link SourceSpan}. */
export type SpanKind = SourceSpan['kind'];

/** The canonical JSON of a span. Line spans, by far the most frequent, are formatted directly. */
export function spanJson(span: SourceSpan): string {
  return span.kind === 'line' ? `{"end":${span.end},"kind":"line","start":${span.start}}` : canonicalJson({ ...span });
}

/**
 * Maps offsets to lines. Line n (1-based) is the n-th piece of `text.split("\n")`; an empty last piece is not a line, so an empty text has
 * none.
 */
export class LineIndex {
  readonly #starts: readonly number[];
  readonly #length: number;

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    if (starts.at(-1) === text.length) starts.pop();
    this.#starts = starts;
    this.#length = text.length;
  }

  /** The number of lines. */
  get count(): number {
    return this.#starts.length;
  }

  /** The 1-based line that contains the UTF-16 offset; an offset past the last line is on the last line. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(1, low);
  }

  /** The offset at which a 1-based line begins; past the last line, the length of the text. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.#length;
  }

  /** The first and last line of a non-empty range `[start, end)`. */
  linesOf(start: number, end: number): { readonly start: number; readonly end: number } {
    return { start: this.lineAt(start), end: this.lineAt(Math.max(start, end - 1)) };
  }
}
