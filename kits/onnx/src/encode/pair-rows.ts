import type { TokenRow } from './onnx-model.ts';
import type { PairFrame } from './pair-frame.ts';
import { tokenWindows } from './token-windows.ts';

/** One in this many tokens is kept for the passage, however long the text beside it is. */
const PASSAGE_SHARE = 4;

/** What is put together, each with each, so that every token of a pair is seen. */
export interface PairWindows {
  /** The text: as a whole, unless it leaves too little room for a passage. */
  readonly parts: readonly (readonly number[])[];
  /** The passage. */
  readonly windows: readonly (readonly number[])[];
}

/**
 * Cuts a text and a passage so that any part of the one fits beside any window of the other into `room` tokens. A text of up
 * to three quarters of the room stays whole, a longer one becomes parts of half the room; the passage gets what is left.
 */
export function pairWindows(text: readonly number[], passage: readonly number[], room: number): PairWindows {
  const most = room - Math.max(1, Math.floor(room / PASSAGE_SHARE));
  const parts = text.length <= most ? [text] : tokenWindows(text, Math.max(1, Math.floor(room / 2)));
  const longest = parts.reduce((length, part) => Math.max(length, part.length), 0);
  return { parts, windows: tokenWindows(passage, Math.max(1, room - longest)) };
}

/** The tokens that a frame adds to a pair. */
export function frameLength({ before, between, after }: PairFrame): number {
  return before.ids.length + between.ids.length + after.ids.length;
}

/** Two texts in one row, with the tokens of the frame and the types of all. */
export function pairRow(
  { before, between, after, types: [firstType, secondType] }: PairFrame,
  first: readonly number[],
  second: readonly number[],
): TokenRow {
  return {
    ids: [...before.ids, ...first, ...between.ids, ...second, ...after.ids],
    typeIds: [
      ...before.typeIds,
      ...first.map(() => firstType),
      ...between.typeIds,
      ...second.map(() => secondType),
      ...after.typeIds,
    ],
  };
}
