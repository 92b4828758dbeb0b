import type { ExtractWarning } from './metadata.ts';
import { decodeAs, decodeUnicode, undeclaredEncoding, undeclaredUtf16 } from './undeclared-encoding.ts';

/** The decoded text of a file, with the warnings raised while decoding it. */
export interface DecodedText {
  readonly text: string;
  readonly warnings: readonly ExtractWarning[];
}

/** Facts that a file declares about itself. */
export interface DecodeOptions {
  /** The encoding that the file declares, as a label of the Encoding Standard. {@link decodeText} finds that of XML itself. */
  readonly declared?: string | undefined;
}

const NO_WARNINGS: readonly ExtractWarning[] = Object.freeze([]);
const HEAD_BYTES = 256;
const utf8 = new TextDecoder('utf-8');

/**
 * Decodes the bytes of a text file into the canonical text: UTF-8, or UTF-16 or UTF-32 when a BOM says so; the BOM removed, CRLF and CR turned into
 * LF, nothing normalised. Valid UTF-8 without a NUL or the escapes of ISO-2022-JP is never decoded as anything else. Other bytes are decoded with the encoding that the
 * file declares; without a declaration, or if they are not valid in it, with the most likely encoding in which all of them are plausible
 * text, and with an `encoding_fallback` warning that names it. Never throws: where no encoding is plausible, invalid bytes become U+FFFD,
 * with such a warning.
 */
export async function decodeText(bytes: Uint8Array, { declared }: DecodeOptions = {}): Promise<DecodedText> {
  const wide = utf32Label(bytes);
  const wideText = wide === undefined ? null : await decodeAs(wide, bytes, HIGH_PER_INVALID);
  if (wideText !== null) return decodedWith(wideText, `some bytes are not ${wide}; each is read as U+FFFD`);
  const marked = utf16Label(bytes);
  if (marked !== undefined) return decodeUtf16(bytes, marked);
  const undeclared = undeclaredUtf16(bytes);
  if (undeclared !== null) return withWarning(undeclared.text, `no byte order mark; read as ${undeclared.encoding}`);
  const raw = utf8.decode(bytes);
  const japanese = raw.includes(TO_JAPANESE) ? asIso2022Jp(bytes) : null;
  if (japanese !== null) return withWarning(japanese, 'not UTF-8; read as ISO-2022-JP');
  if (!raw.includes('\uFFFD') || isValid(bytes, 'utf-8')) return { text: withLineFeeds(raw), warnings: NO_WARNINGS };
  const label = declared ?? xmlDeclaration(bytes) ?? sourceDeclaration(bytes);
  const text = label === undefined || UNICODE.test(label) ? null : await decodeAs(label, bytes, HIGH_PER_INVALID);
  if (text !== null) return decodedWith(text, `some bytes are not ${label}; each is read as U+FFFD`);
  const guess = await undeclaredEncoding(bytes, raw);
  if (guess !== null) return withWarning(guess.text, `not UTF-8; read as ${guess.encoding}`);
  return withWarning(raw, 'some bytes are not UTF-8; each is read as U+FFFD');
}

/** The escape sequence with which a word in ISO-2022-JP begins; all its bytes are ASCII, and no text contains it. */
const TO_JAPANESE = '\u001B$';

function asIso2022Jp(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('iso-2022-jp', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** In a file that declares its encoding, one invalid byte is tolerated per this many bytes beyond ASCII. */
const HIGH_PER_INVALID = 4;

/** Bytes that are not UTF-8 are not; and a file whose declaration is readable as ASCII is not UTF-16 (HTML Standard, "prescan a byte stream"). */
const UNICODE = /ucs-2|unicode|utf-?(?:8|16)/i;

function decodedWith(text: string, note: string): DecodedText {
  return text.includes('\uFFFD') ? withWarning(text, note) : { text: withLineFeeds(text), warnings: NO_WARNINGS };
}

/** The encoding that an XML declaration at the beginning names. */
function xmlDeclaration(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1];
}

/** The encoding that a comment in one of the first two lines names, as in Python (PEP 263), Ruby and Emacs. */
function sourceDeclaration(bytes: Uint8Array): string | undefined {
  const [first = '', second = ''] = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES)).split(/\r\n?|\n/);
  const [, name] = SOURCE_DECLARATION.exec(first) ?? SOURCE_DECLARATION.exec(second) ?? [];
  return name?.replace(/-(?:unix|dos|mac)$/, '');
}

const SOURCE_DECLARATION = /^[ \t\f]*(?:#|;|\/\/|\/\*|--|%|").*?coding[:=][ \t]*([-\w.]+)/;

/** Whether {@link decodeText} reads bytes as UTF-16 or UTF-32, so that the NULs among them do not make them binary. */
export function isWideUnicode(bytes: Uint8Array): boolean {
  return utf16Label(bytes) !== undefined || utf32Label(bytes) !== undefined || undeclaredUtf16(bytes) !== null;
}

/** In UTF-16 the same bytes would be a text that begins with a NUL. */
function utf32Label(bytes: Uint8Array): 'UTF-32LE' | 'UTF-32BE' | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0) return 'UTF-32LE';
  return first === 0 && second === 0 && third === 0xfe && fourth === 0xff ? 'UTF-32BE' : undefined;
}

function utf16Label(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'UTF-16BE' : undefined;
}

function decodeUtf16(bytes: Uint8Array, label: 'UTF-16LE' | 'UTF-16BE'): DecodedText {
  const raw = new TextDecoder(label).decode(bytes);
  if (!raw.includes('\uFFFD') || isValid(bytes, label)) return { text: withLineFeeds(raw), warnings: NO_WARNINGS };
  return withWarning(raw, 'some bytes are not UTF-16; each is read as U+FFFD');
}

function withWarning(raw: string, note: string): DecodedText {
  return { text: withLineFeeds(raw), warnings: [{ kind: 'encoding_fallback', note }] };
}

function withLineFeeds(raw: string): string {
  return raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw;
}

/** Called only when the text contains U+FFFD, which a valid file may contain as well. */
function isValid(bytes: Uint8Array, label: 'utf-8' | 'UTF-16LE' | 'UTF-16BE'): boolean {
  return decodeUnicode(label, bytes) !== null;
}
