/** First and last code points of the letters of Han, Hangul, Hiragana and Katakana. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x11ff],
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
 * By UTF-16 unit: how long a character is that begins with it, if it is a letter of Han, Hangul, Hiragana or Katakana; else
 * 0. Those scripts do not mark where a word ends (or, in Korean, where its particle begins).
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
