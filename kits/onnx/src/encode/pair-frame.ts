import type { Tokenizer } from '@huggingface/tokenizers';
import type { TokenRow } from './transformer.ts';
import { tokenWindows } from './rows.ts';

/** Special tokens at one position of every pair. */
export interface FramePart {
  readonly ids: readonly number[];
  /** As many as ids: the text type of each token. */
  readonly typeIds: readonly number[];
}

/** How a tokenizer joins two texts into one row. */
export interface PairFrame {
  readonly before: FramePart;
  readonly between: FramePart;
  readonly after: FramePart;
  /** The token types of the first and the second text. */
  readonly types: readonly [number, number];
}

const PROBE = 'a';

/** The special tokens that a tokenizer's post-processor puts around two texts. Throws an `Error` for one that does not support pairs. */
export function pairFrame(tokenizer: Tokenizer): PairFrame {
  const bare: readonly number[] = tokenizer.encode(PROBE, { add_special_tokens: false }).ids;
  const framed = tokenizer.encode(PROBE, { text_pair: PROBE, return_token_type_ids: true });
  const ids: readonly number[] = framed.ids;
  const typeIds = framed.token_type_ids as readonly number[] | undefined; // without a post-processor there are none
  const first = placeOf(bare, ids, 0);
  const second = first === -1 ? -1 : placeOf(bare, ids, first + bare.length);
  if (bare.length === 0 || second === -1) throw new Error('its tokenizer does not take pairs of texts');
  const typeAt = (at: number): number => typeIds?.[at] ?? 0;
  const part = (from: number, to: number): FramePart => ({
    ids: ids.slice(from, to),
    typeIds: ids.slice(from, to).map((_, at) => typeAt(from + at)),
  });
  return {
    before: part(0, first),
    between: part(first + bare.length, second),
    after: part(second + bare.length, ids.length),
    types: [typeAt(first), typeAt(second)],
  };
}

function placeOf(run: readonly number[], ids: readonly number[], from: number): number {
  for (let at = from; at + run.length <= ids.length; at++) if (run.every((id, n) => ids[at + n] === id)) return at;
  return -1;
}

/** At least one in this many tokens is reserved for the passage, however long the other text is. */
const PASSAGE_SHARE = 4;

/** Parts and windows that are all combined with each other, so that every token of a pair is used. */
interface PairWindows {
  /** The text, split only if it leaves too little room for a passage. */
  readonly parts: readonly (readonly number[])[];
  /** The passage. */
  readonly windows: readonly (readonly number[])[];
}

/**
 * Splits a text and a passage so that any part of the one together with any window of the other fits into `room` tokens. A text of up to
 * three quarters of the room stays whole, a longer one becomes parts of half the room; the passage gets what is left.
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

/** Two texts in one row, with the special tokens of the frame and all token types. */
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
