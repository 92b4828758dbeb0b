import type { ExtractWarning } from './metadata.ts';

/** The decoded text of a file, with the warnings raised while decoding it. */
export interface DecodedText {
  readonly text: string;
  readonly warnings: readonly ExtractWarning[];
}

const NO_WARNINGS: readonly ExtractWarning[] = Object.freeze([]);
const utf8 = new TextDecoder('utf-8');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes the bytes of a text file into the canonical text: UTF-8, or UTF-16 when a BOM says so; the BOM removed, CRLF and CR turned into
 * LF, nothing normalised. Never throws: invalid bytes become U+FFFD, with one `encoding_fallback` warning.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  const utf16 = utf16Label(bytes);
  const raw = utf16 === undefined ? utf8.decode(bytes) : new TextDecoder(utf16).decode(bytes);
  const text = raw.includes('\r') ? raw.replaceAll(/\r\n?/g, '\n') : raw;
  if (!raw.includes('\uFFFD') || isValid(bytes, utf16)) return { text, warnings: NO_WARNINGS };
  const note = `some bytes are not ${utf16 === undefined ? 'UTF-8' : 'UTF-16'}; each is read as U+FFFD`;
  return { text, warnings: [{ kind: 'encoding_fallback', note }] };
}

function utf16Label(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Called only when the text contains U+FFFD, which a valid file may contain as well. */
function isValid(bytes: Uint8Array, utf16: string | undefined): boolean {
  try {
    (utf16 === undefined ? strictUtf8 : new TextDecoder(utf16, { fatal: true })).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
