/** A text in an encoding that it does not declare. */
export interface UndeclaredText {
  readonly text: string;
  readonly encoding: string;
}

const FIRST_HIGH = 0x80;

/** Characters that no text contains: control characters other than white space, and private or unassigned code points. */
const NOT_TEXT = /[\p{Cc}\p{Co}\p{Cn}](?<![\t\n\f\r])/u;

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
  const text = decodeUnicode('utf-8', bytes);
  if (text === null) return false;
  const withoutNuls = text.replaceAll('\0', '');
  return (text.length - withoutNuls.length) * MIN_BYTES_PER_NUL < bytes.length && !NOT_TEXT.test(withoutNuls);
}

function utf16Text(encoding: 'UTF-16LE' | 'UTF-16BE', bytes: Uint8Array): CountedText | null {
  const text = decodeUnicode(encoding, bytes);
  return text === null || text.includes('\uFFFD') || NOT_TEXT.test(text)
    ? null
    : { text, encoding, ascii: countAscii(text) };
}

function countAscii(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < FIRST_HIGH) ascii++;
  return ascii;
}

/** Decodes bytes in an encoding of Unicode; null if they are not valid in it. */
export function decodeUnicode(encoding: 'utf-8' | 'UTF-16LE' | 'UTF-16BE', bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** One invalid byte is tolerated per this many bytes beyond ASCII, and an incomplete character at the end. */
const HIGH_PER_INVALID = 100;

/**
 * Decodes bytes in an encoding by its label in the Encoding Standard or a common alias, with U+FFFD for invalid bytes. Null if there is no
 * such encoding, or if too many bytes are invalid in it.
 */
export async function decodeAs(
  label: string,
  bytes: Uint8Array,
  highPerInvalid = HIGH_PER_INVALID,
): Promise<string | null> {
  const { default: iconv } = await import('iconv-lite');
  const name = standardName(label) ?? label;
  if (!iconv.encodingExists(name)) return null;
  const text = iconv.decode(bytes, name);
  const invalid = text.split('\uFFFD').length - 1 - Number(text.endsWith('\uFFFD'));
  return invalid > 0 && invalid * highPerInvalid > highBytes(bytes) ? null : text;
}

/** The name of an encoding in the Encoding Standard, in which ISO-8859-1 is windows-1252; GBK is read as GB18030, which contains it. */
function standardName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding.replace(/^gbk$/, 'gb18030').replace(/^x-mac-/, 'mac');
  } catch {
    return undefined;
  }
}

function highBytes(bytes: Uint8Array): number {
  let high = 0;
  for (const byte of bytes) if (byte >= FIRST_HIGH) high++;
  return high;
}

/** Encodings of Latin letters, in the names of the detector. */
const LATIN = ['windows-1252', 'windows-1250', 'windows-1254', 'windows-1257', 'iso-8859-2'];
/** Encodings of older systems, of which a text must give more evidence. */
const OLDER = ['mac-roman', 'cp437', 'cp850', 'cp852'];
const OTHERS =
  'windows-1258 cp949 cp932 shift_jis_2004 euc-jp euc-jis-2004 gb18030 big5hkscs windows-1251 koi8-r koi8-u cp866 iso-8859-5 ' +
  'windows-1253 iso-8859-7 windows-1255 iso-8859-8 windows-1256 iso-8859-6 cp874';
const ENCODINGS = [...LATIN, ...OLDER, ...OTHERS.split(' ')];
const IS_OLDER = /^(?:macroman|cp437|cp85[02])$/i;
const OLDER_WEIGHT = 0.75;
/** Most legacy files are in windows-1252: of equally likely encodings of Latin letters, it is the one. */
const WESTERN_WEIGHT = 1.05;
/** If there is next to no evidence, another encoding must be nearly twice as likely as windows-1252. */
const WESTERN_WEIGHT_OF_FEW = 1.8;
const MAX_FEW = 3;

/** The detector is rarely less confident of texts, and mostly of other data. */
const MIN_CONFIDENCE = 0.015;
/** `ÿ` in encodings of Latin letters. */
const RAREST = 0xff;

/** The detector gets as many lines beyond ASCII as these bytes hold. */
const MAX_SAMPLE_BYTES = 32_768;
const LINE_FEED = 0x0a;

const NOT_LATIN = String.raw`\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Thai}`;
const SMALL = String.raw`[\p{Ll}\p{sc=Arabic}\p{sc=Hebrew}]`;
/** What texts rarely contain: a capital in the middle of a word, a word of two scripts, a symbol inside a word, a box or a root after one. */
const ODD = new RegExp(
  [
    String.raw`(?<=\p{Ll})[^\P{Lu}\0-\u007F]`,
    String.raw`(?<=\p{L})[\u2200-\u22FF\u2500-\u259F]`,
    'ÿ', // 0xFF, which is invalid in most encodings
    String.raw`\p{sc=Latin}(?=[${NOT_LATIN}])|[${NOT_LATIN}](?=\p{sc=Latin})`,
    String.raw`(?<=${SMALL})[^\p{L}\p{M}\0-\u007F\u00A0\u00AD·\u200B-\u201A…](?=${SMALL})`,
  ].join('|'),
  'gu',
);
const HIGH_WORD = /[^\P{L}\0-\u007F]+/gu;
const WORDS_PER_ODD = 5;

/**
 * Decodes bytes that are not UTF-8 in the most likely encoding in which all of them are plausible text; null if there is none, or if the
 * file is damaged UTF-8. `raw` is the bytes decoded as UTF-8.
 */
export async function undeclaredEncoding(bytes: Uint8Array, raw: string): Promise<UndeclaredText | null> {
  if (isDamagedUtf8(bytes, raw)) return null;
  const isFew = hasFewHigh(bytes);
  if (isFew && bytes.includes(RAREST)) return null;
  const detected = await detectIn(sampleOf(bytes), isFew ? [...LATIN, ...OLDER] : ENCODINGS);
  const likely = detected
    .filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
    .map(({ encoding, confidence }) => ({ encoding, weight: confidence * weightOf(encoding, isFew) }))
    .toSorted((one, other) => other.weight - one.weight);
  if (isFew) likely.push({ encoding: 'windows-1252', weight: 0 });
  for (const { encoding } of likely) {
    const text = await decodeAs(encoding, bytes);
    if (text === null || !isPlausible(text)) continue;
    const isWestern = text === (await decodeAs('windows-1252', bytes));
    return { text, encoding: isWestern ? 'windows-1252' : encoding.replace(/^Windows/, 'windows') };
  }
  return null;
}

/** A possible encoding of a sample. */
interface Detected {
  readonly encoding: string;
  readonly confidence: number;
}

async function detectIn(sample: Uint8Array, encodings: string[]): Promise<readonly Detected[]> {
  const { detectAll } = await import('jschardet');
  const detect = (bytes: Uint8Array): readonly Detected[] =>
    detectAll(bytes, { minimumThreshold: 0, detectEncodings: encodings }).flatMap(({ encoding, confidence }) =>
      encoding === null ? [] : [{ encoding, confidence }],
    );
  const repaired: Detected[] = [];
  for (const encoding of MULTI_BYTE) {
    const bytes = await repairedSample(sample, encoding);
    if (bytes !== null) repaired.push(...detect(bytes).filter((one) => one.encoding === encoding));
  }
  return [...detect(sample), ...repaired];
}

const KOREAN = 'CP949';
const MULTI_BYTE = [KOREAN, 'CP932', 'EUC-JP', 'GB18030', 'Big5'];
const FIRST_EUC_KR = 0xa1;

/**
 * A sample without what the detector rules an encoding out for: a few invalid bytes, and the syllables that code page 949 adds to EUC-KR,
 * which Node's decoder does not know. Null if it has none, or too many invalid bytes.
 */
async function repairedSample(sample: Uint8Array, encoding: string): Promise<Uint8Array | null> {
  const text = await decodeAs(encoding, sample);
  if (text === null) return null;
  const { default: iconv } = await import('iconv-lite');
  const valid = text.replaceAll('\uFFFD', '');
  const known =
    encoding === KOREAN
      ? valid.replaceAll(/[\uAC00-\uD7A3]/g, (syllable) =>
          iconv.encode(syllable, KOREAN).every((byte) => byte >= FIRST_EUC_KR) ? syllable : '',
        )
      : valid;
  return known === text || known === '' ? null : iconv.encode(known, encoding);
}

function weightOf(encoding: string, isFew: boolean): number {
  if (IS_OLDER.test(encoding)) return OLDER_WEIGHT;
  if (!encoding.endsWith('1252')) return 1;
  return isFew ? WESTERN_WEIGHT_OF_FEW : WESTERN_WEIGHT;
}

/**
 * In damaged UTF-8, many characters are still valid. Bytes in other encodings are valid UTF-8 by chance: more rarely so the more bytes a
 * character has, and rarely as letters of one script.
 */
function isDamagedUtf8(bytes: Uint8Array, raw: string): boolean {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return true;
  if (CUT.test(raw) && (bytes.at(-1) ?? 0) < FIRST_LEAD) return true;
  const valid = raw.match(VALID)?.join('') ?? '';
  const invalid = raw.split('\uFFFD').length - 1;
  if (valid.length >= Math.max(invalid, MIN_OF_ONE_SCRIPT) && ONE_SCRIPT.test(valid)) return true;
  const long = valid.match(LONG)?.length ?? 0;
  return valid.length + long * 2 >= invalid * 3;
}

/** The only invalid bytes are at the end: a character of which at least two bytes are left. */
const CUT = /^[^\uFFFD]*\uFFFD$/;
const FIRST_LEAD = 0xc0;
const VALID = /[^\0-\u007F\uFFFD]+/g;
/** Characters of three bytes. */
const LONG = /[\u0800-\uFFFF]/g;
const MIN_OF_ONE_SCRIPT = 3;
const ONE_SCRIPT = /^(?:\p{sc=Cyrillic}+|\p{sc=Greek}+|\p{sc=Latin}+|\p{sc=Arabic}+|\p{sc=Hebrew}+)$/u;

/** Whether only a few bytes are beyond ASCII, none beside another. */
function hasFewHigh(bytes: Uint8Array): boolean {
  let high = 0;
  for (let at = 0; at < bytes.length; at++)
    if ((bytes[at] ?? 0) >= FIRST_HIGH && (++high > MAX_FEW || (bytes[at - 1] ?? 0) >= FIRST_HIGH)) return false;
  return true;
}

/** The first lines with bytes beyond ASCII. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= MAX_SAMPLE_BYTES) return bytes;
  const sample = new Uint8Array(MAX_SAMPLE_BYTES);
  let length = 0;
  for (let from = 0; from < bytes.length && length < MAX_SAMPLE_BYTES;) {
    const next = bytes.indexOf(LINE_FEED, from) + 1;
    const line = bytes.subarray(from, next === 0 ? bytes.length : next);
    if (line.some((byte) => byte >= FIRST_HIGH)) {
      const part = line.subarray(0, MAX_SAMPLE_BYTES - length);
      sample.set(part, length);
      length += part.length;
    }
    from += line.length;
  }
  return sample.subarray(0, length);
}

function isPlausible(text: string): boolean {
  if (NOT_TEXT.test(text)) return false;
  const odd = text.match(ODD)?.length ?? 0;
  return odd * WORDS_PER_ODD <= (text.match(HIGH_WORD)?.length ?? 0);
}
