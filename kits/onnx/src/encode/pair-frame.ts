import type { Tokenizer } from '@huggingface/tokenizers';

/** Tokens that stand at one place of every pair. */
export interface FramePart {
  readonly ids: readonly number[];
  /** As many as ids: which of the two texts the model takes them to belong to. */
  readonly typeIds: readonly number[];
}

/** How a tokenizer joins two texts into one row. */
export interface PairFrame {
  readonly before: FramePart;
  readonly between: FramePart;
  readonly after: FramePart;
  /** The type of the tokens of the first text, and of those of the second. */
  readonly types: readonly [number, number];
}

const PROBE = 'a';

/** The frame that the post-processor of a tokenizer puts around two texts. Throws an `Error` for one that takes no pairs. */
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
