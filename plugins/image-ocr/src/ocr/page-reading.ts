/** A rectangle in pixels; `x1` and `y1` are exclusive. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A word with Tesseract's confidence, from 0 to 100. */
export interface ReadWord {
  readonly text: string;
  readonly confidence: number;
}

/** A line within one column. */
export interface ReadLine extends ReadWord {
  readonly box: Box;
  readonly words: readonly ReadWord[];
}

/** The result of one Tesseract run: its columns and other blocks in reading order, each as lines. */
export interface PageReading {
  /** The mean over all words, from 0 to 100; 0 without words. */
  readonly confidence: number;
  readonly columns: readonly (readonly ReadLine[])[];
}

const DOUBTFUL = 50;

/**
 * A measure of a reading: the number of characters, each weighted by how far its word is above the doubtful confidence. Noise that was read
 * as text counts negatively, so of two readings of a picture the one with the larger measure is better.
 */
export function worthOf({ columns }: PageReading): number {
  let worth = 0;
  for (const line of columns.flat())
    for (const { text, confidence } of line.words) worth += text.length * (confidence - DOUBTFUL);
  return worth;
}

/** The number of characters, without blanks. */
export function countCharacters({ columns }: PageReading): number {
  return columns.flat().reduce((count, { words }) => count + words.reduce((sum, { text }) => sum + text.length, 0), 0);
}
