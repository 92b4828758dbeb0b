import {
  invalidInput,
  type CallContext,
  type ExtractInput,
  type Picture,
  type PicturePlace,
  type PlacedText,
  type RenderRequest,
} from '@kebab/core';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { openPdf } from '../document/open-pdf.ts';
import { pageOfPicture } from '../document/page-picture.ts';
import { replacesText } from '../document/assemble-pages.ts';
import { layoutPage } from '../layout/layout-page.ts';
import { readRuns } from '../layout/read-runs.ts';
import type { Box } from '../layout/text-run.ts';
import type { PdfConfig } from '../pdf-config.ts';
import { CanvasBudget } from './canvas-budget.ts';
import { framesOf, piecesOfOcr, piecesOfPage, wordBoxes, type PlacedPiece } from './outline-boxes.ts';

/** What rendering needs besides the file and the request. */
export interface RenderTools {
  readonly config: PdfConfig;
  readonly context: CallContext;
}

/** The maximum number of pixels of a picture, whatever is requested. */
const MAX_AREA = 40e6;
const OUTLINE_PIXELS = 3;
const OUTLINE_COLOUR = '#ff0000';
/** The padding of a frame, in points: without it the frame would run through the first and last letters of the lines. */
const PADDING = 2;
/** The colour of marks, which are blended by multiplication, so that the text below stays visible. */
const MARK_COLOUR = '#ffe14d';

/**
 * Renders a page on white with a longer edge of `maxPixels`, limited to 40 million pixels in all.
 *
 * A range is outlined by red frames around the lines it touches, one for each column, and the ranges of `marks` are highlighted. For a page
 * that OCR read, the input must contain the readings. A box is in the pixels in which OCR sees the page, whose longer edge is `ocrPixels`,
 * so that boxes of OCR need no conversion. Errors: `invalid_input` for a picture that the file does not have, `timeout`.
 */
export async function renderPage(
  input: ExtractInput,
  request: RenderRequest,
  { config, context }: RenderTools,
): Promise<Picture> {
  const number = pageOfPicture(request.picture);
  if (number === undefined)
    throw unknownPicture(request.picture, 'pictures of a PDF are named page=1, page=2 and so on');
  const { createCanvas } = await import('@napi-rs/canvas');
  const budget = new CanvasBudget(createCanvas, { timeoutMs: config.pageTimeoutMs });
  return openPdf(input, { config, context, canvasFactory: budget.factory }, async (pdf) => {
    if (number > pdf.numPages) throw unknownPicture(request.picture, `the file has ${pdf.numPages} pages`);
    const stop = new AbortController();
    try {
      const work = rendered(pdf.document, number, { input, request, config, budget, signal: stop.signal });
      return await pdf.limited(work, `rendering page ${number}`);
    } finally {
      stop.abort();
    }
  });
}

interface RenderJob {
  readonly input: ExtractInput;
  readonly request: RenderRequest;
  readonly config: PdfConfig;
  readonly budget: CanvasBudget;
  readonly signal: AbortSignal;
}

async function rendered(pdf: PDFDocumentProxy, number: number, job: RenderJob): Promise<Picture> {
  const page = await pdf.getPage(number);
  const unscaled = page.getViewport({ scale: 1 });
  const scale = scaleOf(unscaled, job.request.maxPixels);
  const viewport = page.getViewport({ scale });
  const [width, height] = [pixels(viewport.width), pixels(viewport.height)];
  const { canvas, context } = job.budget.create(width, height);
  const target = { canvas: null, canvasContext: context, viewport, background: 'white', intent: 'print' };
  const task = page.render(target);
  task.onContinue = (goOn: () => void) => void setImmediate(goOn); // with promises alone, timers would not run
  job.signal.addEventListener('abort', () => task.cancel(), { once: true });
  await task.promise;
  context.setTransform(1, 0, 0, 1, 0, 0);
  const { frames, marks, pieces } = await boxesOf(page, job);
  context.globalCompositeOperation = 'multiply';
  context.fillStyle = MARK_COLOUR;
  for (const { x0, y0, x1, y1 } of marks)
    context.fillRect(x0 * scale, y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale);
  context.globalCompositeOperation = 'source-over';
  context.strokeStyle = OUTLINE_COLOUR;
  context.lineWidth = OUTLINE_PIXELS;
  for (const box of frames) {
    const { x0, y0, x1, y1 } = framed(box, scale, { width, height });
    context.strokeRect(x0, y0, x1 - x0, y1 - y0);
  }
  page.cleanup();
  const picture = { png: await canvas.encode('png'), width, height };
  return job.request.withText === true
    ? { ...picture, texts: pieces.map((piece) => placedText(piece, scale)) }
    : picture;
}

function placedText({ text, line, turn, box: { x0, y0, x1, y1 } }: PlacedPiece, scale: number): PlacedText {
  return { text, line, turn, x: x0 * scale, y: y0 * scale, w: (x1 - x0) * scale, h: (y1 - y0) * scale };
}

/** What to draw over a page, in points. */
interface DrawnBoxes {
  readonly frames: readonly Box[];
  readonly marks: readonly Box[];
  readonly pieces: readonly PlacedPiece[];
}

async function boxesOf(page: PDFPageProxy, { input, request, config }: RenderJob): Promise<DrawnBoxes> {
  const { outline, marks = [], picture, withText = false } = request;
  if (outline === undefined && marks.length === 0 && !withText) return { frames: [], marks: [], pieces: [] };
  const unit = scaleOf(page.getViewport({ scale: 1 }), config.ocrPixels);
  const ocr = input.readings?.get(picture)?.ocr;
  const own = layoutPage(await readRuns(page));
  const isRead = ocr !== undefined && ocr !== null && replacesText(ocr.joined, own.text, config);
  const pieces = isRead
    ? piecesOfOcr(ocr).map((piece): PlacedPiece => ({ ...piece, box: inPoints(piece.box, unit) }))
    : piecesOfPage(own);
  const boxOf = ({ x, y, w, h }: Extract<PicturePlace, { readonly x: number }>): Box =>
    inPoints({ x0: x, y0: y, x1: x + w, y1: y + h }, unit);
  const frames =
    outline === undefined ? [] : 'start' in outline ? framesOf(pieces, outline).map(padded) : [boxOf(outline)];
  return {
    frames,
    pieces,
    marks: marks.flatMap((mark) => ('start' in mark ? wordBoxes(pieces, [mark]) : [boxOf(mark)])),
  };
}

function padded({ x0, y0, x1, y1 }: Box): Box {
  return { x0: x0 - PADDING, y0: y0 - PADDING, x1: x1 + PADDING, y1: y1 + PADDING };
}

function inPoints({ x0, y0, x1, y1 }: Box, scale: number): Box {
  return { x0: x0 / scale, y0: y0 / scale, x1: x1 / scale, y1: y1 / scale };
}

/** The centre line of a frame, with some padding around the text and inside the picture. */
function framed(box: Box, scale: number, { width, height }: { readonly width: number; readonly height: number }): Box {
  const half = OUTLINE_PIXELS / 2;
  const inside = (value: number, edge: number): number => Math.min(Math.max(value, half), Math.max(edge - half, half));
  return {
    x0: inside(Math.round(box.x0 * scale) - OUTLINE_PIXELS + half, width),
    y0: inside(Math.round(box.y0 * scale) - OUTLINE_PIXELS + half, height),
    x1: inside(Math.round(box.x1 * scale) + OUTLINE_PIXELS - half, width),
    y1: inside(Math.round(box.y1 * scale) + OUTLINE_PIXELS - half, height),
  };
}

function scaleOf({ width, height }: { readonly width: number; readonly height: number }, maxPixels: number): number {
  const scale = Math.min(maxPixels / Math.max(width, height), Math.sqrt(MAX_AREA / (width * height)));
  return Number.isFinite(scale) && scale > 0 ? scale : 1;
}

/** Rounds a length to whole pixels, at least one, so that division errors have no effect. */
function pixels(length: number): number {
  return Math.max(1, Math.round(length));
}

function unknownPicture(picture: string, reason: string): Error {
  return invalidInput(`there is no picture ${picture}: ${reason}`, { field: 'picture', value: picture });
}
