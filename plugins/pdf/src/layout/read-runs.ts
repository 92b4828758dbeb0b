import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { joinDropCaps } from './drop-caps.ts';
import { joinSpacedLetters } from './spaced-letters.ts';
import { cleanText, type TextRun } from './text-run.ts';

/** A piece of text from pdf.js; `transform` maps its font's unit square to the page. */
interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
  readonly fontName: string;
  /** Of each space in `str`, the gap that it stands for, null for a space of the page. */
  readonly gaps?: readonly (Gap | null)[] | undefined;
}

/** A gap between two letters, by its start from that of the piece, in units of the page. */
interface Gap {
  readonly from: number;
  readonly width: number;
}

/** The start or end of marked content, which may have a replacement text. */
type ContentMark =
  | { readonly type: 'beginMarkedContent' | 'endMarkedContent' }
  | { readonly type: 'beginMarkedContentProps'; readonly actualText?: string | null | undefined };

type FontStyles = Readonly<Record<string, { readonly vertical: boolean } | undefined>>;

type Matrix = readonly [number, number, number, number, number, number];

/**
 * Reads the pieces of text of a page, in the order of its stream, with positions on the page as displayed: upright and cropped. Pieces
 * outside the visible part are dropped.
 */
export async function readRuns(page: PDFPageProxy): Promise<readonly TextRun[]> {
  const viewport = page.getViewport({ scale: 1 });
  const placer = new RunPlacer(matrixOf(viewport.transform), page.userUnit);
  const reader = page.streamTextContent({ includeMarkedContent: true }).getReader();
  for (;;) {
    const { value, done } = (await reader.read()) as ReadableStreamReadResult;
    if (done) break;
    placer.add(value);
  }
  const runs = joinDropCaps(joinSpacedLetters(placer.runs));
  const shown = runs.filter((run) => isInside(run, viewport));
  return shown.length > 0 ? shown : runs;
}

type ReadableStreamReadResult =
  | { readonly done: false; readonly value: StreamedText }
  | { readonly done: true; readonly value?: undefined };

interface StreamedText {
  readonly items: readonly (TextItem | ContentMark)[];
  readonly styles: FontStyles;
}

const LETTERS = /\p{L}/gu;
const SINGLE_LETTERS = /^(?:[\p{L}\p{N}.,:!?&'’-]\p{M}* ){2,}[\p{L}\p{N}.,:!?&'’-]\p{M}*$/u;

/** Converts pieces of pdf.js into runs; text that replaces marked content stands where that is drawn. */
class RunPlacer {
  readonly runs: TextRun[] = [];
  readonly #view: Matrix;
  readonly #unit: number;
  readonly #vertical = new Map<string, boolean>();
  #blank = false;
  /** The depth of marked content, and of the outermost one with a replacement text; zero for none. */
  #depth = 0;
  #replacedAt = 0;
  #replacement: string | undefined;
  /** The last run that stands for replaced content. */
  #replaced: TextRun | undefined;

  constructor(view: Matrix, unit: number) {
    this.#view = view;
    this.#unit = unit;
  }

  add({ items, styles }: StreamedText): void {
    for (const [name, style] of Object.entries(styles)) this.#vertical.set(name, style?.vertical === true);
    for (const item of items)
      if ('type' in item) this.#mark(item);
      else if (this.#replacedAt > 0) this.#replace(item);
      else this.#addItem(item, cleanText(item.str));
  }

  #addItem(item: TextItem, text: string): void {
    if (this.#addLetters(item, text)) return;
    if (/\S/.test(text)) this.runs.push(this.#placed(item, text));
    this.#blank = text !== '' && !/\S$/.test(text);
  }

  /** Adds a piece that consists of single letters with gaps letter by letter; their distances say which are one word. */
  #addLetters(item: TextItem, text: string): boolean {
    if (!SINGLE_LETTERS.test(text)) return false;
    const pieces = text.split(' ');
    if ((text.match(LETTERS)?.length ?? 0) * 2 < pieces.length) return false;
    const gaps = (item.gaps ?? []).flatMap((gap) => gap ?? []);
    if (gaps.length !== pieces.length - 1 || gaps.length !== item.gaps?.length || item.dir === 'rtl') return false;
    const whole = this.#placed(item, text);
    const unit = this.#unit;
    for (const [at, piece] of pieces.entries()) {
      const [before, behind] = [gaps[at - 1], gaps[at]];
      const u0 = before === undefined ? whole.u0 : whole.u0 + (before.from + before.width) * unit;
      const u1 = behind === undefined ? whole.u1 : whole.u0 + behind.from * unit;
      const afterBlank = at > 0 || whole.afterBlank;
      this.runs.push({ ...whole, text: piece, u0, u1, order: this.runs.length, afterBlank });
    }
    this.#blank = false;
    return true;
  }

  #mark(mark: ContentMark): void {
    if (mark.type === 'endMarkedContent') {
      if (this.#depth === this.#replacedAt) this.#replacedAt = 0;
      if (this.#depth > 0) this.#depth--;
      return;
    }
    this.#depth++;
    const text = mark.type === 'beginMarkedContentProps' ? mark.actualText : null;
    if (typeof text !== 'string' || this.#replacedAt > 0) return;
    this.#replacedAt = this.#depth;
    this.#replacement = cleanText(text);
    this.#replaced = undefined;
  }

  /** The replacement text takes the place of the first visible piece, and widens over the others of its line. */
  #replace(item: TextItem): void {
    if (!/\S/.test(item.str)) return;
    if (this.#replacement !== undefined) {
      const count = this.runs.length;
      this.#addItem({ ...item, gaps: undefined }, this.#replacement);
      this.#replacement = undefined;
      this.#replaced = this.runs.length > count ? this.runs.at(-1) : undefined;
    } else if (this.#replaced !== undefined) {
      const { u0, u1, v, turn } = this.#placed(item, item.str);
      const last = this.#replaced;
      if (turn !== last.turn || Math.abs(v - last.v) > last.size / 2) return;
      this.#replaced = { ...last, u0: Math.min(last.u0, u0), u1: Math.max(last.u1, u1) };
      this.runs[this.runs.length - 1] = this.#replaced;
    }
  }

  #placed(item: TextItem, text: string): TextRun {
    const [a, b, c, d, x, y] = product(this.#view, matrixOf(item.transform));
    const isVertical = this.#vertical.get(item.fontName) === true;
    const quarter = Math.round(Math.atan2(b, a) / (Math.PI / 2)) + (isVertical ? 1 : 0);
    const turn = (quarter & 3) as TextRun['turn'];
    const length = finite((isVertical ? item.height : item.width) * this.#unit);
    const size = finite(Math.hypot(c, d)) || finite(Math.hypot(a, b)) || 1;
    const u = finite([x, y, -x, -y][turn]);
    // The glyphs of a vertical line are centred on the line of their origins.
    const v = finite([y, -x, -y, x][turn]) + (isVertical ? 0.28 * size : 0);
    return {
      text,
      turn,
      u0: u,
      u1: u + length,
      v,
      size,
      rtl: item.dir === 'rtl',
      order: this.runs.length,
      afterBlank: this.#blank || /^\s/.test(text),
    };
  }
}

function isInside(
  { turn, u0, u1, v }: TextRun,
  { width, height }: { readonly width: number; readonly height: number },
): boolean {
  const middle = (u0 + u1) / 2;
  const x = [middle, -v, -middle, v][turn] ?? 0;
  const y = [v, middle, -v, -middle][turn] ?? 0;
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

function matrixOf(numbers: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers;
  return [a, b, c, d, e, f];
}

function product(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ];
}

function finite(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) ? value : 0;
}
