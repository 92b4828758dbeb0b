import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { cleanText, type TextRun } from './text-run.ts';

/** A piece of text from pdf.js; `transform` maps its font's unit square to the page. */
interface TextItem {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

type FontStyles = Readonly<Record<string, { readonly vertical: boolean } | undefined>>;

type Matrix = readonly [number, number, number, number, number, number];

/**
 * Reads the pieces of text of a page, in the order of its stream, with positions on the page as displayed: upright and cropped. Pieces
 * outside the visible part are dropped.
 */
export async function readRuns(page: PDFPageProxy): Promise<readonly TextRun[]> {
  const viewport = page.getViewport({ scale: 1 });
  const placer = new RunPlacer(matrixOf(viewport.transform), page.userUnit);
  const reader = page.streamTextContent().getReader();
  for (;;) {
    const { value, done } = (await reader.read()) as ReadableStreamReadResult;
    if (done) break;
    placer.add(value.items, value.styles);
  }
  const { runs } = placer;
  const shown = runs.filter((run) => isInside(run, viewport));
  return shown.length > 0 ? shown : runs;
}

type ReadableStreamReadResult =
  | { readonly done: false; readonly value: { readonly items: readonly TextItem[]; readonly styles: FontStyles } }
  | { readonly done: true; readonly value?: undefined };

/** Converts pieces of pdf.js into runs. */
class RunPlacer {
  readonly runs: TextRun[] = [];
  readonly #view: Matrix;
  readonly #unit: number;
  readonly #vertical = new Map<string, boolean>();
  #blank = false;

  constructor(view: Matrix, unit: number) {
    this.#view = view;
    this.#unit = unit;
  }

  add(items: readonly TextItem[], styles: FontStyles): void {
    for (const [name, style] of Object.entries(styles)) this.#vertical.set(name, style?.vertical === true);
    for (const item of items) {
      const text = cleanText(item.str);
      if (/\S/.test(text)) this.runs.push(this.#placed(item, text));
      this.#blank = text !== '' && !/\S$/.test(text);
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
