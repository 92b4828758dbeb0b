/** A rectangle in pixels, `x1` and `y1` just outside. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A word with how sure Tesseract is of it, from 0 to 100. */
export interface ReadWord {
  readonly text: string;
  readonly confidence: number;
}

/** A line within one column. */
export interface ReadLine extends ReadWord {
  readonly box: Box;
  readonly words: readonly ReadWord[];
}

/** What Tesseract read in one go: its columns and other blocks in reading order, each as lines. */
export interface PageReading {
  /** The mean over all words, from 0 to 100; 0 without words. */
  readonly confidence: number;
  readonly columns: readonly (readonly ReadLine[])[];
}

const DOUBTFUL = 50;

/**
 * How much was read: the characters, each counted by how far its word is above doubtful. Noise that was taken for text
 * counts against a reading, so that of two readings of one picture the one with the larger measure is the better.
 */
export function worthOf({ columns }: PageReading): number {
  let worth = 0;
  for (const line of columns.flat())
    for (const { text, confidence } of line.words) worth += text.length * (confidence - DOUBTFUL);
  return worth;
}

/** How many characters were read, blanks left out. */
export function countCharacters({ columns }: PageReading): number {
  return columns.flat().reduce((count, { words }) => count + words.reduce((sum, { text }) => sum + text.length, 0), 0);
}
