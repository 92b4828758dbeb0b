import type { Tokenizer } from '@huggingface/tokenizers';
import type { Checkpoint } from './checkpoint.ts';
import { pairFrame, type PairFrame } from './pair-frame.ts';
import { textPieces } from './text-pieces.ts';

/** What is read of `tokenizer.json` beside the library that runs it. */
interface TokenizerJson {
  readonly model?: { readonly unk_token?: unknown; readonly unk_id?: unknown };
}

/** Turns text into token ids without special tokens, and tells which tokens stand before and after a text. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  /** The id of what the vocabulary does not have; null for a tokenizer that knows every byte. */
  readonly unknownId: number | null;
  /** Special tokens of a single text. */
  readonly head: readonly number[];
  readonly tail: readonly number[];
  /** Fills a shorter row of a batch. */
  readonly padId: number;

  constructor(tokenizer: Tokenizer, json: TokenizerJson, config: Readonly<Record<string, unknown>>) {
    this.#tokenizer = tokenizer;
    this.unknownId = unknownIdOf(tokenizer, json);
    const padToken = config['pad_token'];
    this.padId = (typeof padToken === 'string' ? tokenizer.token_to_id(padToken) : undefined) ?? 0;
    const bare = this.#encode('a');
    const framed = tokenizer.encode('a').ids;
    const before = bare[0] === undefined ? 0 : framed.indexOf(bare[0]);
    this.head = framed.slice(0, before);
    this.tail = framed.slice(before + bare.length);
  }

  /** The tokens of a text, however long; special tokens are not among them. */
  async ids(text: string, checkpoint: Checkpoint): Promise<number[]> {
    const ids: number[] = [];
    for (const piece of textPieces(text)) {
      await checkpoint();
      for (const id of this.#encode(piece)) ids.push(id);
    }
    return ids;
  }

  /** What stands around two texts in one row. Throws an `Error` for a tokenizer that takes no pairs. */
  pairFrame(): PairFrame {
    return pairFrame(this.#tokenizer);
  }

  #encode(text: string): readonly number[] {
    return this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
  }
}

function unknownIdOf(tokenizer: Tokenizer, { model }: TokenizerJson): number | null {
  if (typeof model?.unk_id === 'number') return model.unk_id;
  return typeof model?.unk_token === 'string' ? (tokenizer.token_to_id(model.unk_token) ?? null) : null;
}
