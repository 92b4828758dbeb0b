import type { OcrRegion } from '@kebab/core';
import { countCharacters, worthOf, type PageReading, type Box, type ReadLine } from './page-reading.ts';
import type { RecognitionWorker, Segmentation } from './recognition-worker.ts';
import { loadSharp, type Sharp } from '../load-sharp.ts';

/** Pictures up to this many pixels may be read twice: screenshots, receipts, strips of text; pages are larger. */
const SMALL_PIXELS = 1.2e6;
/** Words lower than this, in pixels, are enlarged before they are read. */
const LOW_WORDS = 20;
const READABLE_WORDS = 26;
const MAX_ENLARGED = 3;
/** A reading of a small picture below this confidence, or with fewer characters, is compared with another. */
const DOUBTFUL = 80;
const FEW_CHARACTERS = 120;
/** A reading with a lower measure per character is of an upside-down picture, or of one without text. */
const UPRIGHT_WORTH = 10;
/** A picture with fewer characters counts as one without text. */
const ENOUGH_CHARACTERS = 30;

/** One reading of a picture, and the view that was read. */
interface Attempt {
  readonly view: ScanView;
  readonly reading: PageReading;
}

/**
 * Reads a picture as a page with columns, with small text enlarged. If the confidence is very low, it is also read upside down (vertical
 * lines are read in any case); a small picture with low confidence is also read as one block of lines. The reading with the best measure is
 * kept.
 */
export async function readScan(worker: RecognitionWorker, scan: Scan): Promise<readonly OcrRegion[]> {
  const isSmall = scan.width * scan.height <= SMALL_PIXELS;
  const scale = isSmall ? await enlargement(worker, scan) : 1;
  const attempt = async (isTurned: boolean, segmentation: Segmentation): Promise<Attempt> => {
    const view = { scale, isTurned };
    return { view, reading: await worker.read(await scan.view(view), segmentation) };
  };
  let best = await attempt(false, 'page');
  if (isUpsideDown(best)) best = better(best, await attempt(true, 'page'));
  if (isSmall && isPoor(best)) best = better(best, await attempt(best.view.isTurned, 'block'));
  const { width, height } = scan;
  return textRegions(best.reading, { width, height, toPicture: (box) => scan.place(best.view, box) });
}

/** The enlargement of a picture: Tesseract is best with words of at least about twenty-five pixels height. */
async function enlargement(worker: RecognitionWorker, scan: Scan): Promise<number> {
  const heights = await worker.wordHeights(await scan.view({ scale: 1, isTurned: false }));
  const middle = heights.toSorted((a, b) => a - b)[heights.length >> 1];
  if (middle === undefined || middle >= LOW_WORDS) return 1;
  return Math.min(MAX_ENLARGED, READABLE_WORDS / middle);
}

function isUpsideDown({ reading }: Attempt): boolean {
  const characters = countCharacters(reading);
  return characters >= ENOUGH_CHARACTERS && worthOf(reading) < characters * UPRIGHT_WORTH;
}

function isPoor({ reading }: Attempt): boolean {
  return reading.confidence < DOUBTFUL || countCharacters(reading) < FEW_CHARACTERS;
}

function better(one: Attempt, other: Attempt): Attempt {
  return worthOf(other.reading) > worthOf(one.reading) ? other : one;
}

/** How a picture is prepared for reading. */
interface ScanView {
  /** The enlargement factor; 1 for none. */
  readonly scale: number;
  /** Whether it is turned upside down. */
  readonly isTurned: boolean;
}

/** Blurs the steps that enlarging leaves, which would be read as strokes. */
const SOFTENING = 0.8;

/** A greyscale picture, kept in memory to be read in several views. */
export class Scan {
  readonly width: number;
  readonly height: number;
  readonly #sharp: Sharp;
  readonly #grey: Buffer;

  private constructor(sharp: Sharp, grey: Buffer, size: { readonly width: number; readonly height: number }) {
    this.#sharp = sharp;
    this.#grey = grey;
    this.width = size.width;
    this.height = size.height;
  }

  static async open(png: Uint8Array): Promise<Scan> {
    const sharp = await loadSharp();
    const image = sharp(png, { failOn: 'error' }).flatten({ background: '#fff' }).greyscale().raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return new Scan(sharp, data, info);
  }

  /** The picture as a file that Tesseract reads. */
  async view({ scale, isTurned }: ScanView): Promise<Buffer> {
    const { width, height } = this;
    let image = this.#sharp(this.#grey, { raw: { width, height, channels: 1 } });
    if (scale !== 1) image = image.resize({ width: Math.round(width * scale) }).blur(SOFTENING);
    if (isTurned) image = image.rotate(180);
    return image.toColourspace('b-w').png({ compressionLevel: 1 }).toBuffer();
  }

  /** Converts a box of a view to a box of the picture. */
  place({ scale, isTurned }: ScanView, box: Box): Box {
    const x0 = box.x0 / scale;
    const y0 = box.y0 / scale;
    const x1 = box.x1 / scale;
    const y1 = box.y1 / scale;
    const { width, height } = this;
    return isTurned ? { x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 } : { x0, y0, x1, y1 };
  }
}

/** In a reading with a lower overall confidence, lines below `NOISE` are not text. */
const UNSURE = 60;
const NOISE = 30;
const MEANS_SOMETHING = /[\p{L}\p{N}]/u;

/** How to convert boxes of a reading to boxes of the picture. */
interface RegionPlace {
  readonly width: number;
  readonly height: number;
  /** From the coordinates of the reading to those of the picture. */
  readonly toPicture: (box: Box) => Box;
}

/**
 * The lines of a reading as regions in reading order: column by column; in a column, boxes whose vertical centres are within half a line
 * height are one line, left to right. Noise is dropped.
 */
export function textRegions({ columns, confidence }: PageReading, place: RegionPlace): readonly OcrRegion[] {
  const least = confidence < UNSURE ? NOISE : 0;
  const isText = (line: ReadLine): boolean => line.confidence >= least && MEANS_SOMETHING.test(line.text);
  return columns.flatMap((lines) => rowsOf(lines.filter(isText)).map((row) => regionOf(row, place)));
}

function rowsOf(lines: readonly ReadLine[]): readonly (readonly ReadLine[])[] {
  if (runsUpright(lines)) return lines.map((line) => [line]);
  const rows: ReadLine[][] = [];
  for (const line of lines.toSorted((a, b) => centre(a) - centre(b))) {
    const row = rows.at(-1);
    const first = row?.[0];
    if (row !== undefined && first !== undefined && sharesRow(first, line)) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.toSorted((a, b) => a.box.x0 - b.box.x0));
}

/** Whether lines are vertical: these are side by side, and keep their order. */
function runsUpright(lines: readonly ReadLine[]): boolean {
  const tall = lines.filter(({ box }) => box.y1 - box.y0 > box.x1 - box.x0);
  return tall.length > lines.length / 2;
}

function sharesRow(a: ReadLine, b: ReadLine): boolean {
  const lineHeight = Math.min(a.box.y1 - a.box.y0, b.box.y1 - b.box.y0);
  return Math.abs(centre(a) - centre(b)) <= lineHeight / 2;
}

function centre({ box }: ReadLine): number {
  return (box.y0 + box.y1) / 2;
}

function regionOf(row: readonly ReadLine[], { width, height, toPicture }: RegionPlace): OcrRegion {
  const boxes = row.map(({ box }) => toPicture(box));
  const x0 = clamp(Math.floor(Math.min(...boxes.map((box) => box.x0))), width - 1);
  const y0 = clamp(Math.floor(Math.min(...boxes.map((box) => box.y0))), height - 1);
  const x1 = clamp(Math.ceil(Math.max(...boxes.map((box) => box.x1))), width);
  const y1 = clamp(Math.ceil(Math.max(...boxes.map((box) => box.y1))), height);
  return {
    bbox: [x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0)],
    text: row.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim()).join(' '),
    confidence: mean(row.map(({ confidence }) => confidence)) / 100,
  };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(0, value), most);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
