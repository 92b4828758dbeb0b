import type { TextRange } from '@kebab/plugin';

/** A stretch of a file with the symbol that stands for it. */
export interface Piece extends TextRange {
  readonly symbol: string;
}
