import type { OcrRegion } from '@kebab/core';
import { countCharacters, worthOf, type PageReading } from './page-reading.ts';
import type { RecognitionWorker, Segmentation } from './recognition-worker.ts';
import type { Scan, ScanView } from './scan.ts';
import { textRegions } from './text-regions.ts';

/** Pictures up to this many pixels are looked at twice: screenshots, receipts, strips of text; pages are larger. */
const SMALL_PIXELS = 1.2e6;
/** Words lower than this, in pixels, are enlarged before they are read. */
const LOW_WORDS = 20;
const READABLE_WORDS = 26;
const MOST_ENLARGED = 3;
/** A reading of a small picture below this confidence, or with fewer characters, is compared with another. */
const DOUBTFUL = 80;
const FEW_CHARACTERS = 120;
/** A reading that is worth less a character is that of a picture that stands on its head, or of no text at all. */
const UPRIGHT_WORTH = 10;
/** A picture with fewer characters is one without text. */
const ENOUGH_CHARACTERS = 30;

/** One reading of a picture, and the view it was read in. */
interface Attempt {
  readonly view: ScanView;
  readonly reading: PageReading;
}

/**
 * Reads a picture: as a page with columns, small text enlarged. One of which hardly anything is sure is also read turned round
 * (lines that run up or down are read as they are), and a small one of which little is sure also as one block of lines; what
 * tells most is kept.
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

/** Tesseract reads letters best when words are some twenty-five pixels high or more. */
async function enlargement(worker: RecognitionWorker, scan: Scan): Promise<number> {
  const heights = await worker.wordHeights(await scan.view({ scale: 1, isTurned: false }));
  const middle = heights.toSorted((a, b) => a - b)[heights.length >> 1];
  if (middle === undefined || middle >= LOW_WORDS) return 1;
  return Math.min(MOST_ENLARGED, READABLE_WORDS / middle);
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
