import type { ExtractWarning } from './metadata.ts';
import { decodeAs, undeclaredEncoding, undeclaredUtf16 } from './undeclared-encoding.ts';

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
const XML_DECLARATION_BYTES = 256;
const utf8 = new TextDecoder('utf-8');

/**
 * Decodes the bytes of a text file into the canonical text: UTF-8, or UTF-16 when a BOM says so; the BOM removed, CRLF and CR turned into
 * LF, nothing normalised. Valid UTF-8 without a NUL is never decoded as anything else. Other bytes are decoded with the encoding that the
 * file declares; without a declaration, as UTF-16, windows-1252 or EUC-KR if they are unlikely to be anything else, with an
 * `encoding_fallback` warning that names the encoding. Never throws: invalid bytes become U+FFFD, with such a warning.
 */
export function decodeText(bytes: Uint8Array, { declared }: DecodeOptions = {}): DecodedText {
  const marked = utf16Label(bytes);
  if (marked !== undefined) return decodeUtf16(bytes, marked);
  const undeclared = undeclaredUtf16(bytes);
  if (undeclared !== null) return withWarning(undeclared.text, `no byte order mark; read as ${undeclared.encoding}`);
  const raw = utf8.decode(bytes);
  if (!raw.includes('\uFFFD') || isValid(bytes, 'utf-8')) return { text: withLineFeeds(raw), warnings: NO_WARNINGS };
  const label = declared ?? xmlDeclaration(bytes);
  if (label !== undefined) {
    const text = decodeDeclared(label, bytes);
    if (text !== null) return { text: withLineFeeds(text), warnings: NO_WARNINGS };
  } else {
    const guess = undeclaredEncoding(bytes, raw);
    if (guess !== null) return withWarning(guess.text, `not UTF-8; read as ${guess.encoding}`);
  }
  return withWarning(raw, 'some bytes are not UTF-8; each is read as U+FFFD');
}

/** The encoding that an XML declaration at the beginning names. */
function xmlDeclaration(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, XML_DECLARATION_BYTES));
  return /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1];
}

/** A file whose declaration is readable as ASCII cannot be UTF-16 (HTML Standard, "prescan a byte stream"). */
function decodeDeclared(label: string, bytes: Uint8Array): string | null {
  return /ucs-2|unicode|utf-16/i.test(label) ? null : decodeAs(label, bytes);
}

/** Whether {@link decodeText} reads bytes as UTF-16, so that the NULs among them do not make them binary. */
export function isUtf16(bytes: Uint8Array): boolean {
  return utf16Label(bytes) !== undefined || undeclaredUtf16(bytes) !== null;
}

function utf16Label(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function decodeUtf16(bytes: Uint8Array, label: string): DecodedText {
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
function isValid(bytes: Uint8Array, label: string): boolean {
  return decodeAs(label, bytes) !== null;
}
