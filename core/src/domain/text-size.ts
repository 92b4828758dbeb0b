/** A regular expression scans much faster than a loop, and does not scan one-byte strings at all. */
const MAY_HAVE_PAIRS = /[\ud800-\udbff]/;

/** The number of Unicode code points of a text; a lone surrogate counts as one. */
export function charCount(text: string): number {
  if (!MAY_HAVE_PAIRS.test(text)) return text.length;
  let pairs = 0;
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

/** The size for output budgets: `ceil(characters / 4)` tokens. Never mixed with {@link estimateTokens}. */
export function outputTokens(text: string): number {
  return Math.ceil(charCount(text) / 4);
}

/** The size of chunks and prompts: `ceil(UTF-8 bytes / 3)` tokens. Never mixed with {@link outputTokens}. */
export function estimateTokens(text: string): number {
  return Math.ceil(utf8Length(text) / 3);
}

/** The length of a text in UTF-8 bytes. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Moves an offset back by one when it would split a surrogate pair. */
export function safeCut(text: string, offset: number): number {
  const splits =
    offset > 0 &&
    offset < text.length &&
    (text.charCodeAt(offset) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
  return splits ? offset - 1 : offset;
}

/** The first `count` code points of a text. */
export function firstChars(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++) {
    const pair = (text.charCodeAt(end) & 0xfc00) === 0xd800 && (text.charCodeAt(end + 1) & 0xfc00) === 0xdc00;
    end += pair ? 2 : 1;
  }
  return text.slice(0, end);
}

const NARROW = /[ijlftrI.,;:'|!()[\]\s-]/;
const LARGE = /[mwMW@%A-HJ-LN-VX-Z]/;
const WIDE = /[\u1100-\u115F\u2E80-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\uFF00-\uFF60]/;

/**
 * The approximate width of a text when rendered, in widths of an average lower-case letter. Used to locate a word within a line when only
 * the position of the whole line is known.
 */
export function drawnWidth(text: string): number {
  let width = 0;
  for (const letter of text) width += NARROW.test(letter) ? 0.55 : WIDE.test(letter) ? 2 : LARGE.test(letter) ? 1.4 : 1;
  return width;
}
