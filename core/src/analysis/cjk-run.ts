const MAYBE_CJK =
  /[\u0E01-\u0EDF\u1000-\u109F\u1100-\u11FF\u1780-\u17DD\u3005-\u9FFF\uA960-\uA97C\uAC00-\uD7FB\uD840-\uD8BF\uF900-\uFAFF\uFF66-\uFFDC]/;
const SPACE = 0x20;

/** A text split by script: its words, with a space for each run of Han, Hangul or kana, and the tokens of those runs. */
interface SplitScripts {
  readonly words: string;
  /** Separated by spaces, with nothing special between two runs; empty without such a run. */
  readonly cjk: string;
}

/**
 * Separates runs of Han, Hangul and kana from all other text. The tokens of a run are its bigrams and then its last character, so that each
 * character begins exactly one token and a query of one character can match tokens by prefix. The tokens of `한국은` are `한국 국은 은 `.
 * Text without such characters is returned after one regular expression test.
 */
export function splitScripts(text: string): SplitScripts {
  if (!MAYBE_CJK.test(text)) return { words: text, cjk: '' };
  const widths = cjkWidths();
  const words = new UnitWriter(text.length);
  const cjk = new UnitWriter(3 * text.length);
  for (let at = 0; at < text.length;) {
    let width = widths[text.charCodeAt(at)] as number;
    if (width === 0) {
      words.write(text.charCodeAt(at));
      at++;
      continue;
    }
    for (; width > 0; width = at < text.length ? (widths[text.charCodeAt(at)] as number) : 0) {
      const next = at + width;
      const nextWidth = next < text.length ? (widths[text.charCodeAt(next)] as number) : 0;
      for (let i = at; i < next + nextWidth; i++) cjk.write(text.charCodeAt(i));
      cjk.write(SPACE);
      at = next;
    }
    words.write(SPACE);
  }
  return { words: words.text(), cjk: cjk.text() };
}

/**
 * The overlapping pairs of characters of a run; for a run of one character, that character.
 * `bigrams('한국은')` is `['한국', '국은']`.
 */
export function bigrams(run: string): readonly string[] {
  const characters = Array.from(run);
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i] ?? ''}${character}`);
}

/** Whether a token is a single Han, Hangul or kana character, which matches index tokens by prefix. */
export function isLoneCjk(token: string): boolean {
  return token.length > 0 && cjkWidths()[token.charCodeAt(0)] === token.length;
}

/** First and last code points of the letters and marks of Han, Hangul, Hiragana, Katakana, Thai, Lao, Burmese and Khmer. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x0e01, 0x0e3a],
  [0x0e40, 0x0e4e],
  [0x0e81, 0x0ece],
  [0x0edc, 0x0edf],
  [0x1000, 0x103f],
  [0x1050, 0x108f],
  [0x109a, 0x109d],
  [0x1100, 0x11ff],
  [0x1780, 0x17d3],
  [0x17d7, 0x17d7],
  [0x17dc, 0x17dd],
  [0x3005, 0x3007],
  [0x3021, 0x3029],
  [0x3031, 0x3035],
  [0x3038, 0x303c],
  [0x3041, 0x3096],
  [0x3099, 0x309a],
  [0x309d, 0x309f],
  [0x30a1, 0x30fa],
  [0x30fc, 0x30ff],
  [0x3131, 0x318e],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xd7b0, 0xd7fb],
  [0xf900, 0xfaff],
  [0xff66, 0xff9f],
  [0xffa0, 0xffdc],
  [0x20000, 0x3ffff],
];

let widths: Uint8Array | undefined;

/**
 * Maps each UTF-16 unit to the length of the character that begins with it, if that is a letter or mark of Han, Hangul, Hiragana, Katakana,
 * Thai, Lao, Burmese or Khmer, and to 0 otherwise. Those scripts do not mark where a word ends (or, in Korean, where its particle begins).
 */
export function cjkWidths(): Uint8Array {
  if (widths === undefined) {
    widths = new Uint8Array(0x10000);
    for (const [first, last] of RANGES) {
      if (last < 0x10000) widths.fill(1, first, last + 1);
      else widths.fill(2, highSurrogate(first), highSurrogate(last) + 1);
    }
  }
  return widths;
}

function highSurrogate(codePoint: number): number {
  return 0xd800 + ((codePoint - 0x10000) >> 10);
}

const MAX_PIECE = 8192;

/** Builds a string from UTF-16 units, many times faster than by concatenation. */
class UnitWriter {
  readonly #piece: Uint16Array;
  #length = 0;
  #text = '';

  /** `expected` is the approximate number of units. */
  constructor(expected: number) {
    this.#piece = new Uint16Array(Math.min(expected + 1, MAX_PIECE));
  }

  write(unit: number): void {
    if (this.#length === this.#piece.length) this.#flush();
    this.#piece[this.#length++] = unit;
  }

  /** Everything written so far. */
  text(): string {
    this.#flush();
    return this.#text;
  }

  #flush(): void {
    this.#text += String.fromCharCode.apply(null, this.#piece.subarray(0, this.#length) as unknown as number[]);
    this.#length = 0;
  }
}
