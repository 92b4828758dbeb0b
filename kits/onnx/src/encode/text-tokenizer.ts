import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';
import type { Checkpoint } from './text-model.ts';
import { pairFrame, type PairFrame } from './pair-frame.ts';

/** The parts of `tokenizer.json` that kebab reads itself, besides the library. */
interface TokenizerJson {
  readonly model?: { readonly unk_token?: unknown; readonly unk_id?: unknown };
}

/** Converts text to token ids without special tokens, and provides the special tokens before and after a text. */
export class TextTokenizer {
  readonly #tokenizer: Tokenizer;
  /** The id of unknown tokens; null for a tokenizer that covers every byte. */
  readonly unknownId: number | null;
  /** Special tokens of a single text. */
  readonly head: readonly number[];
  readonly tail: readonly number[];
  /** Pads a shorter row of a batch. */
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

  /** The tokens of a text of any length, without special tokens. */
  async ids(text: string, checkpoint: Checkpoint): Promise<number[]> {
    const ids: number[] = [];
    for (const piece of textPieces(text)) {
      await checkpoint();
      for (const id of this.#encode(piece)) ids.push(id);
    }
    return ids;
  }

  /** The special tokens around two texts in one row. Throws an `Error` for a tokenizer that does not support pairs. */
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

/** Tokenizing takes a few milliseconds for this many characters. */
const PIECE_CHARS = 8192;

/**
 * Splits a text into pieces that can be tokenized one by one: at white space if possible, never inside a character. Joined they equal the
 * text.
 */
export function* textPieces(text: string, pieceChars: number = PIECE_CHARS): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + pieceChars >= text.length ? text.length : cutBefore(text, start, start + pieceChars);
    yield text.slice(start, end);
    start = end;
  }
}

function cutBefore(text: string, start: number, limit: number): number {
  for (let at = limit; at > start + (limit - start) / 2; at--) if (/\s/.test(text[at] as string)) return at;
  const splitsPair = /[\uDC00-\uDFFF]/.test(text[limit] as string) && limit > start + 1;
  return splitsPair ? limit - 1 : limit;
}

/** Loads `tokenizer.json` and, if there is one, `tokenizer_config.json` of a folder. */
export async function loadTokenizer(folder: string): Promise<TextTokenizer> {
  const { Tokenizer } = await import('@huggingface/tokenizers');
  const json = JSON.parse(await readFile(path.join(folder, 'tokenizer.json'), 'utf8')) as object;
  const config = JSON.parse(
    await readFile(path.join(folder, 'tokenizer_config.json'), 'utf8').catch(() => '{}'),
  ) as Readonly<Record<string, unknown>>;
  return new TextTokenizer(new Tokenizer(json, config), json, config);
}
