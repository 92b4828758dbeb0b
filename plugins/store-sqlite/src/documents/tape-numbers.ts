import type { BlockKind } from '@kebab/core';

/** The numbers of block kinds on a stored tape; a new kind takes the next free number below 16. */
export const BLOCK_NUMBERS: Readonly<Record<BlockKind, number>> = {
  heading: 0,
  paragraph: 1,
  list: 2,
  code: 3,
  table: 4,
  quote: 5,
  imageref: 6,
  audioref: 7,
};

/** Block kinds by number. */
export const BLOCK_KIND_OF = Object.keys(BLOCK_NUMBERS) as readonly BlockKind[];

/** Added to the number of a kind: how the span is written (lines when nothing is added), and that a heading path follows. */
export const TAPE_FLAGS = { codeSpan: 16, otherSpan: 32, newPath: 64 } as const;
