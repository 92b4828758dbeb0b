/** A text in an encoding that it does not declare. */
export interface UndeclaredText {
  readonly text: string;
  readonly encoding: 'UTF-16LE' | 'UTF-16BE' | 'windows-1252' | 'EUC-KR';
}

/**
 * The characters of windows-1252 at 0x80 to 0x9F (Encoding Standard, index-windows-1252), where ISO 8859-1 has control characters. Node's
 * decoder reads windows-1252 as ISO 8859-1 from 20.18.3 on and in all of 22 after 22.12 (nodejs/node#56542).
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';
const FIRST_HIGH = 0x80;

/** Decodes bytes in an encoding of the Encoding Standard; null if there is no such encoding, or the bytes are not valid in it. */
export function decodeAs(label: string, bytes: Uint8Array): string | null {
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    const text = decoder.decode(bytes);
    // A correct decoder yields only the five control characters that the index maps to themselves.
    return decoder.encoding === 'windows-1252' ? text.replaceAll(/[\u0080-\u009F]/g, asWindows) : text;
  } catch {
    return null;
  }
}

function asWindows(control: string): string {
  return WINDOWS_1252[control.charCodeAt(0) - FIRST_HIGH] ?? control;
}

/** Characters that no text contains: control characters other than white space, and private or unassigned code points. */
const NOT_TEXT = /[\p{Cc}\p{Co}\p{Cn}\uFFFD](?<![\t\n\f\r])/u;

/** A text with the number of its ASCII characters. */
interface CountedText extends UndeclaredText {
  readonly ascii: number;
}

const MIN_UTF16_BYTES = 16;
/** If the bytes are text in both byte orders, at least one in this many characters must be ASCII. */
const MAX_CHARACTERS_PER_ASCII = 10;
/** In UTF-8 with stray NULs, fewer than one byte in this many is a NUL; in UTF-16, half the bytes of ASCII text are. */
const MIN_BYTES_PER_NUL = 3;

/**
 * Reads bytes that contain NULs as UTF-16 without a BOM; null if they may be anything else. In UTF-16, each space, line end and other
 * ASCII character has a NUL. If the bytes are text in both byte orders, only one of the two texts may contain ASCII, and enough of it.
 * UTF-8 with a few NULs is not UTF-16.
 */
export function undeclaredUtf16(bytes: Uint8Array): UndeclaredText | null {
  if (bytes.length < MIN_UTF16_BYTES || bytes.length % 2 === 1 || !bytes.includes(0)) return null;
  const little = utf16Text('UTF-16LE', bytes);
  const big = utf16Text('UTF-16BE', bytes);
  const [one, other] = (little?.ascii ?? 0) < (big?.ascii ?? 0) ? [big, little] : [little, big];
  if (one === null || one.ascii === 0) return null;
  const isClear = other === null || (other.ascii === 0 && one.ascii * MAX_CHARACTERS_PER_ASCII >= one.text.length);
  return isClear && !isUtf8WithNuls(bytes) ? { text: one.text, encoding: one.encoding } : null;
}

function isUtf8WithNuls(bytes: Uint8Array): boolean {
  const text = decodeAs('utf-8', bytes);
  if (text === null) return false;
  const withoutNuls = text.replaceAll('\0', '');
  return (text.length - withoutNuls.length) * MIN_BYTES_PER_NUL < bytes.length && !NOT_TEXT.test(withoutNuls);
}

function utf16Text(encoding: UndeclaredText['encoding'], bytes: Uint8Array): CountedText | null {
  const text = decodeAs(encoding, bytes);
  return text === null || NOT_TEXT.test(text) ? null : { text, encoding, ascii: countAscii(text) };
}

function countAscii(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < FIRST_HIGH) ascii++;
  return ascii;
}

/** Letters at the same code in the Windows encodings for Western Europe, Central Europe, the Baltic states and Turkey. */
const SHARED = 'ÄÉÓÖÜßäéóöü';
/** Western European letters whose codes stand for other letters there. Icelandic ones are left out: they share their codes with Turkish. */
const WESTERN = 'ÀÁÂÃÅÆÇÈÊËÌÍÎÏÑÒÔÕØÙÚÛàáâãåæçèêëìíîïñòôõøùúûŒœ';
/** Symbols whose codes stand for letters in other encodings. */
const SIGNS = '€†‰•™¡£§©ª«®°±²³µº»¼½¾¿×÷';
const QUOTES = '…‘’“”„–—\u00A0\u00AD·';

const LETTER = `[A-Za-z${SHARED}${WESTERN}]`;
/** Patterns that Western European text does not contain, but text in other encodings soon does when it is read as windows-1252. */
const IMPLAUSIBLE = new RegExp(
  [
    `[^\\0-\\u007F${SHARED}${WESTERN}${SIGNS}${QUOTES}]`,
    `[${SHARED}${WESTERN}]{3,}`, // words in Cyrillic, Greek …
    '[a-zß-öø-ÿœ][À-ÖØ-ÞŒ]|[À-ÖØ-ÞŒ][A-Z][a-z]', // quotation marks in Mac OS Roman
    `(?<!${LETTER})[^\\0-\\u007FàáâåéèêóôöúÀÁÅÉÈÖ${SIGNS}${QUOTES}](?!${LETTER})`,
    `(?<=${LETTER})[…‘“”„${SIGNS}](?=${LETTER})`, // letters in DOS and Central European encodings
    `${LETTER}[„¡¿]|[¡¿](?!${LETTER}{2})`,
    `([${SIGNS}])(?!\\1)[${SIGNS}]`, // two-byte characters
  ].join('|'),
  'gu',
);
const HIGH_LETTERS: ReadonlySet<number> = new Set(Array.from(SHARED + WESTERN, (letter) => letter.charCodeAt(0)));
const ANY_WESTERN = new RegExp(`[${WESTERN}]`, 'u');
/** Symbols in a typical position, as in tables and logs. */
const EVERY_CLEAR_SIGN = /(?<=\d ?)[°€]|[£€§](?= ?\d)|©(?= ?\d)/gu;
/** Their codes are letters in DOS encodings and Mac OS Roman. */
const ANY_QUOTE = /[€†‰•™…‘’“”„–—]/u;
/** The remaining byte of a damaged UTF-8 character may be any of these. */
const ANY_REMAINDER = /[\u00A0-\u00C3]/u;

/** Long texts contain foreign names and typing errors: one implausible place is allowed per this many non-ASCII characters. */
const HIGH_PER_IMPLAUSIBLE = 200;
const MAX_HIGH_SHARE = 0.25;

/** Function words of Western European languages, one set per language. No Central European, Baltic or Turkish text has three of one set. */
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
 * Decodes bytes that are not UTF-8 in the only likely encoding; null if none or several are likely, or if the file is damaged UTF-8,
 * which has a BOM or a valid multi-byte character. `raw` is the bytes decoded as UTF-8.
 */
export function undeclaredEncoding(bytes: Uint8Array, raw: string): UndeclaredText | null {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const korean = hasMark ? null : asEucKr(bytes);
  if (korean !== null) return { text: korean, encoding: 'EUC-KR' };
  const isCut = raw.indexOf('\uFFFD') === raw.length - 1;
  const western = hasMark || isCut || /[^\0-\u007F\uFFFD]/.test(raw) ? null : asWindows1252(bytes);
  return western === null ? null : { text: western, encoding: 'windows-1252' };
}

/** Null unless the bytes look like Western European text. Icelandic does not. */
function asWindows1252(bytes: Uint8Array): string | null {
  const text = decodeAs('windows-1252', bytes);
  if (text === null || NOT_TEXT.test(text)) return null;
  const { high, highLetters, letters } = tally(text);
  if (highLetters > letters * MAX_HIGH_SHARE || exceeds(high / HIGH_PER_IMPLAUSIBLE, IMPLAUSIBLE, text)) return null;
  if (high === text.match(EVERY_CLEAR_SIGN)?.length) return text;
  if (high === 1 && ANY_REMAINDER.test(text)) return null;
  if (highLetters === 0) return isWrittenIn(ANY_QUOTE.test(text) ? [ENGLISH] : SMALL_WORDS, text) ? text : null;
  return !ANY_WESTERN.test(text) || isWrittenIn(SMALL_WORDS, text) ? text : null;
}

/** Counts the non-ASCII characters, the letters among them, and all letters. */
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
  let count = 0;
  for (const _ of text.matchAll(pattern)) if (++count > max) return true;
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

/** The most common syllables: particles, endings and frequent first syllables. They make up a quarter of Korean prose. */
const COMMON_HANGUL = new Set('이다는의에을를가은하고지로한기사자도인서');
const MIN_HANGUL = 10;
const MIN_HANGUL_SHARE = 0.9;
const MIN_COMMON_SHARE = 0.1;
const ANY_LETTER = /\p{L}/u;

/**
 * Null unless the non-ASCII letters are Hangul and include enough of the syllables that are common in Korean. Node's decoder does not
 * support the 8,822 syllables that Microsoft added.
 */
function asEucKr(bytes: Uint8Array): string | null {
  const text = decodeAs('euc-kr', bytes);
  if (text === null || NOT_TEXT.test(text)) return null;
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
