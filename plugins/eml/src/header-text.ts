import { decodeText } from '@kebab/plugin';

type DecodedText = Awaited<ReturnType<typeof decodeText>>;

/** Names of encodings in mail that the Encoding Standard does not know. */
const ALIASES: Readonly<Record<string, string>> = {
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp950: 'big5',
  big5_tw: 'big5',
  'iso-2022-kr': 'euc-kr',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: 'windows-1252',
  utf8mb4: 'utf-8',
};

/** A message in bytes, each of which is a character up to U+00FF. */
export function binaryOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** The bytes of such a string. */
export function bytesOf(binary: string): Uint8Array {
  return new Uint8Array(Buffer.from(binary, 'latin1'));
}

/**
 * Decodes bytes with the encoding that mail declares for them. Without one, with one that is unknown or does not fit, they are decoded like any
 * file; so is UTF-8 that is called Latin-1.
 */
export async function decodeAs(bytes: Uint8Array, charset: string): Promise<DecodedText> {
  const name = charset.trim().toLowerCase();
  const label = ALIASES[name] ?? name;
  const isEscaped = binaryOf(bytes.subarray(0, 100_000)).includes('\u001B$');
  const decoder = decoderOf(isEscaped && (label === '' || label === 'us-ascii') ? 'iso-2022-jp' : label);
  if (decoder === null || decoder.encoding === 'utf-8') return decodeText(bytes);
  if (decoder.encoding === 'windows-1252')
    return decodeText(bytes, isUtf8(bytes) || label === 'us-ascii' ? {} : { declared: 'windows-1252' });
  const text = decoder.decode(withoutShifts(bytes));
  return text.includes('\uFFFD') && !isEscaped && isUtf8(bytes) ? decodeText(bytes) : whole(text);
}

const [ESCAPE, SHIFT_OUT, SHIFT_IN] = ['\u001B', '\u000E', '\u000F'];

/**
 * Bytes in which ISO-2022-KR has the eighth bit of EUC-KR, and ISO-2022-JP no escape sequence right before another one, as where two texts
 * are joined; the Encoding Standard takes that for an attack.
 */
function withoutShifts(bytes: Uint8Array): Uint8Array {
  const binary = binaryOf(bytes);
  if (!binary.includes(ESCAPE)) return bytes;
  const [first = '', ...shifted] = binary.replaceAll(`${ESCAPE}$)C`, '').split(SHIFT_OUT);
  if (shifted.length > 0) return bytesOf([first, ...shifted.map((text) => shiftedIn(text))].join(''));
  return bytesOf(binary.replaceAll(`${ESCAPE}(B${ESCAPE}`, ESCAPE).replaceAll(`${ESCAPE}(J${ESCAPE}`, ESCAPE));
}

/** Text after a shift, which ends with another one or with its line. */
function shiftedIn(text: string): string {
  const ends = [text.indexOf(SHIFT_IN), text.indexOf('\n'), text.length].filter((at) => at >= 0);
  const end = Math.min(...ends);
  const letters = Array.from(text.slice(0, end), (sign) => String.fromCharCode(sign.charCodeAt(0) | 0x80));
  return letters.join('') + text.slice(end).replace(SHIFT_IN, '');
}

function whole(text: string): DecodedText {
  return { text: text.replaceAll(/\r\n?/g, '\n'), warnings: [] };
}

function decoderOf(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;

/** Decodes the value of a header: its encoded words, of which those in a row are one text, and its other bytes. */
export async function headerText(binary: string, charset = ''): Promise<string> {
  const parts: string[] = [];
  let row: { readonly charset: string; readonly encoding: string; readonly text: string }[] = [];
  let end = 0;
  const flush = async (): Promise<void> => {
    if (row.length > 0) parts.push(await rowText(row));
    row = [];
  };
  for (const { index, 0: word, 1: named = '', 2: encoding = '', 3: text = '' } of binary.matchAll(WORD)) {
    const between = binary.slice(end, index);
    const isBlank = between.trim() === '';
    if (!isBlank || row.length === 0 || row[0]?.charset.toLowerCase() !== named.toLowerCase()) {
      const isNext = isBlank && row.length > 0;
      await flush();
      if (!isNext) parts.push(await plainText(between, charset));
    }
    row.push({ charset: named, encoding: encoding.toLowerCase(), text });
    end = index + word.length;
  }
  await flush();
  parts.push(await plainText(binary.slice(end), charset));
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}

async function plainText(binary: string, charset: string): Promise<string> {
  const isPlain = !/[\u0080-\u00FF]/.test(binary) && !binary.includes('\u001B');
  if (isPlain) return binary;
  const bytes = bytesOf(binary);
  const { text } = await decodeAs(bytes, isUtf8(bytes) && !binary.includes(ESCAPE) ? 'utf-8' : charset); // RFC 6532
  return text;
}

/** Encoded words in a row are joined as bytes, because a word may end inside a character; or, inside a group of base64, as base64. */
async function rowText(
  row: readonly { readonly charset: string; readonly encoding: string; readonly text: string }[],
): Promise<string> {
  const [first] = row;
  if (first === undefined) return '';
  const bytes = Buffer.concat(
    row.map(({ encoding, text }) =>
      encoding === 'b' ? Buffer.from(text, 'base64') : quotedBytes(text, { isHeader: true }),
    ),
  );
  const { text: decoded } = await decodeAs(new Uint8Array(bytes), first.charset);
  if (!decoded.includes('\uFFFD') || row.some(({ encoding }) => encoding !== 'b')) return decoded;
  const joined = Buffer.from(row.map(({ text }) => text).join(''), 'base64');
  const { text: other } = await decodeAs(new Uint8Array(joined), first.charset);
  return other.includes('\uFFFD') ? decoded : other;
}

/** Decodes quoted-printable text; in headers, an underscore is a space. */
export function quotedBytes(text: string, { isHeader = false } = {}): Buffer {
  const joined = isHeader
    ? text.replaceAll('_', ' ')
    : text
        .replaceAll(/[ \t]+$/gm, '')
        .replaceAll('=\n', '')
        .replace(/=$/, '');
  return Buffer.from(
    joined.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
