/** A text in an encoding that it does not declare. */
export interface UndeclaredText {
  readonly text: string;
  readonly encoding: 'UTF-16LE' | 'UTF-16BE' | 'windows-1252' | 'EUC-KR';
}

/**
 * What windows-1252 has at 0x80 to 0x9F (Encoding Standard, index-windows-1252), where ISO 8859-1 has control characters. Node's decoder reads
 * windows-1252 as ISO 8859-1 from 20.18.3 on and in all of 22 after 22.12 (nodejs/node#56542).
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';
const FIRST_HIGH = 0x80;

/**
 * The text of bytes in an encoding of the Encoding Standard. Null where there is no such encoding, or the bytes are not valid
 * in it.
 */
export function decodeAs(label: string, bytes: Uint8Array): string | null {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    const text = decoder.decode(bytes);
    // From a decoder that is right, only the five come that the index leaves as they are.
    return decoder.encoding === 'windows-1252' ? text.replaceAll(/[\u0080-\u009F]/g, asWindows) : text;
  } catch {
    return null;
  }
}

function asWindows(control: string): string {
  return WINDOWS_1252[control.charCodeAt(0) - FIRST_HIGH] ?? control;
}

/** What no text holds: control characters that are not white space, and code points without a meaning. */
const NO_TEXT = /[\p{Cc}\p{Co}\p{Cn}\uFFFD](?<![\t\n\f\r])/u;

const MIN_UTF16_BYTES = 16;
/** Where a text reads in both orders, one of so many characters must be ASCII. */
const CHARACTERS_FOR_ASCII = 10;
/** Of ASCII in UTF-16, every second byte is a NUL. */
const MIN_BYTES_A_NUL = 3;

/**
 * Reads bytes that hold NULs as UTF-16 without a BOM; null where they may be anything else. In UTF-16 each space, line end and
 * other character of ASCII has a NUL. Where the bytes are text in either order, only one of the two may have ASCII, and enough of
 * it. UTF-8 with a NUL here and there is not UTF-16.
 */
export function undeclaredUtf16(bytes: Uint8Array): UndeclaredText | null {
  if (bytes.length < MIN_UTF16_BYTES || bytes.length % 2 === 1 || !bytes.includes(0)) return null;
  const little = utf16Text('UTF-16LE', bytes);
  const big = utf16Text('UTF-16BE', bytes);
  const [one, other] = asciiOf(little) < asciiOf(big) ? [big, little] : [little, big];
  if (one === null || asciiOf(one) === 0) return null;
  const isClear = other === null || (asciiOf(other) === 0 && asciiOf(one) * CHARACTERS_FOR_ASCII >= one.text.length);
  return isClear && !isUtf8WithNuls(bytes) ? one : null;
}

function isUtf8WithNuls(bytes: Uint8Array): boolean {
  const text = decodeAs('utf-8', bytes);
  if (text === null) return false;
  const withoutNuls = text.replaceAll('\0', '');
  return (text.length - withoutNuls.length) * MIN_BYTES_A_NUL < bytes.length && !NO_TEXT.test(withoutNuls);
}

function utf16Text(encoding: UndeclaredText['encoding'], bytes: Uint8Array): UndeclaredText | null {
  const text = decodeAs(encoding, bytes);
  return text === null || NO_TEXT.test(text) ? null : { text, encoding };
}

function asciiOf(reading: UndeclaredText | null): number {
  const text = reading?.text ?? '';
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < FIRST_HIGH) ascii++;
  return ascii;
}

/** Letters that the encodings of Windows for Central Europe, the Baltic states and Turkey have in the same places. */
const SHARED = 'ÄÉÓÖÜßäéóöü';
/** Letters of Western Europe that have the places of others there. Icelandic is not among them: it has those of Turkish. */
const WESTERN = 'ÀÁÂÃÅÆÇÈÊËÌÍÎÏÑÒÔÕØÙÚÛàáâãåæçèêëìíîïñòôõøùúûŒœ';
/** Signs that other encodings have for letters. */
const SIGNS = '€†‰•™¡£§©ª«®°±²³µº»¼½¾¿×÷';
const QUOTES = '…‘’“”„–—\u00A0\u00AD·';

const LETTER = `[A-Za-z${SHARED}${WESTERN}]`;
/** What text of Western Europe does not have, and text in other encodings soon has when it is read as windows-1252. */
const IMPLAUSIBLE = new RegExp(
  [
    `[^\\0-\\u007F${SHARED}${WESTERN}${SIGNS}${QUOTES}]`,
    `[${SHARED}${WESTERN}]{3,}`, // words in Cyrillic, Greek …
    '[a-zß-öø-ÿœ][À-ÖØ-ÞŒ]|[À-ÖØ-ÞŒ][A-Z][a-z]', // quotation marks of the Macintosh
    `(?<!${LETTER})[^\\0-\\u007FàáâåéèêóôöúÀÁÅÉÈÖ${SIGNS}${QUOTES}](?!${LETTER})`,
    `(?<=${LETTER})[…‘“”„${SIGNS}](?=${LETTER})`, // letters of DOS and of Central Europe
    `${LETTER}[„¡¿]|[¡¿](?!${LETTER}{2})`,
    `([${SIGNS}])(?!\\1)[${SIGNS}]`, // characters of two bytes
  ].join('|'),
  'gu',
);
const HIGH_LETTERS: ReadonlySet<number> = new Set(Array.from(SHARED + WESTERN, (letter) => letter.charCodeAt(0)));
const ANY_WESTERN = new RegExp(`[${WESTERN}]`, 'u');
/** Signs where they belong, as tables and logs have them. */
const EVERY_CLEAR_SIGN = /(?<=\d ?)[°€]|[£€§](?= ?\d)|©(?= ?\d)/gu;
/** In DOS and on the Macintosh, letters. */
const ANY_QUOTE = /[€†‰•™…‘’“”„–—]/u;
/** What may be left of one damaged character of UTF-8. */
const ANY_REMAINDER = /[\u00A0-\u00C3]/u;

/** Long texts hold foreign names and typing errors: one implausible place is allowed for so many characters beyond ASCII. */
const HIGH_FOR_A_SLIP = 200;
const MAX_HIGH_SHARE = 0.25;

/** Small words of Western Europe, one language each. No text of Central Europe, the Baltic states or Turkey has three of one. */
const ENGLISH = wordSet('the of and that for with this are from');
const SMALL_WORDS: readonly ReadonlySet<string>[] = [
  ENGLISH,
  wordSet('der die und das ist nicht ein eine von mit auf sich werden'),
  wordSet('le les des et est une pour que dans du qui pas par sur aux ou'),
  wordSet('el los las que en una es por con para del como su'),
  wordSet('que do da em um uma os as com para dos no na ao das ou por ser se'),
  wordSet('che il per un non del della sono con gli di una nel ed ha al ogni la'),
  wordSet('het een van dat niet zijn voor met'),
  wordSet('och det att som med den av ett har inte till eller'),
  wordSet('og det er ikke med den til som af av har eller'),
  wordSet('els amb per que les del una la al dret tota'),
];
const MIN_SMALL_WORDS = 3;
const SAMPLED_CHARACTERS = 65_536;

/**
 * Reads bytes that are not UTF-8 in the one encoding that is likely; null where none or several are, and where the file is damaged
 * UTF-8: it has a BOM, or a valid character of several bytes. `raw` is what a decoder of UTF-8 makes of the bytes.
 */
export function undeclaredEncoding(bytes: Uint8Array, raw: string): UndeclaredText | null {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const korean = hasMark ? null : asEucKr(bytes);
  if (korean !== null) return { text: korean, encoding: 'EUC-KR' };
  const isCut = raw.indexOf('\uFFFD') === raw.length - 1;
  const western = hasMark || isCut || /[^\0-\u007F\uFFFD]/.test(raw) ? null : asWindows1252(bytes);
  return western === null ? null : { text: western, encoding: 'windows-1252' };
}

/** Null unless the bytes look like text of Western Europe. Icelandic does not. */
function asWindows1252(bytes: Uint8Array): string | null {
  const text = decodeAs('windows-1252', bytes);
  if (text === null || NO_TEXT.test(text)) return null;
  const { high, highLetters, letters } = tally(text);
  if (highLetters > letters * MAX_HIGH_SHARE || exceeds(high / HIGH_FOR_A_SLIP, IMPLAUSIBLE, text)) return null;
  if (high === text.match(EVERY_CLEAR_SIGN)?.length) return text;
  if (high === 1 && ANY_REMAINDER.test(text)) return null;
  if (highLetters === 0) return isWrittenIn(ANY_QUOTE.test(text) ? [ENGLISH] : SMALL_WORDS, text) ? text : null;
  return !ANY_WESTERN.test(text) || isWrittenIn(SMALL_WORDS, text) ? text : null;
}

/** How many characters are not ASCII, how many of those are letters, and how many letters there are in all. */
function tally(text: string): { readonly high: number; readonly highLetters: number; readonly letters: number } {
  let high = 0;
  let highLetters = 0;
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= FIRST_HIGH) {
      high++;
      if (HIGH_LETTERS.has(unit)) highLetters++;
    } else if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a)) letters++;
  }
  return { high, highLetters, letters: letters + highLetters };
}

function exceeds(max: number, pattern: RegExp, text: string): boolean {
  let found = 0;
  for (const _ of text.matchAll(pattern)) if (++found > max) return true;
  return false;
}

function isWrittenIn(languages: readonly ReadonlySet<string>[], text: string): boolean {
  const words = new Set(
    text
      .slice(0, SAMPLED_CHARACTERS)
      .toLowerCase()
      .match(/[a-zß-öø-ÿœ]+/g),
  );
  return languages.some((small) => [...small].filter((word) => words.has(word)).length >= MIN_SMALL_WORDS);
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** The commonest syllables: particles, endings, and what many words begin with. Of Korean prose they are a quarter. */
const COMMON_HANGUL = new Set('이다는의에을를가은하고지로한기사자도인서');
const MIN_HANGUL = 10;
const MIN_HANGUL_SHARE = 0.9;
const MIN_COMMON_SHARE = 0.1;
const ANY_LETTER = /\p{L}/u;

/**
 * Null unless the letters beyond ASCII are Hangul, and those that are common in Korean are common. Node's decoder does not know the 8,822
 * syllables that Microsoft added.
 */
function asEucKr(bytes: Uint8Array): string | null {
  const text = decodeAs('euc-kr', bytes);
  if (text === null || NO_TEXT.test(text)) return null;
  let hangul = 0;
  let common = 0;
  let others = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xac00 && code <= 0xd7a3) {
      hangul++;
      if (COMMON_HANGUL.has(character)) common++;
    } else if (code >= FIRST_HIGH && ANY_LETTER.test(character)) others++;
  }
  const isKorean =
    hangul >= Math.max(MIN_HANGUL, (hangul + others) * MIN_HANGUL_SHARE) && common >= hangul * MIN_COMMON_SHARE;
  return isKorean ? text : null;
}
