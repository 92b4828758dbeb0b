import { decodeText } from '@kebab/plugin';

/** Where a page has to declare its encoding: within its first 1,024 bytes (HTML Standard, "Specifying the document's character encoding"). */
const DECLARATION_BYTES = 1024;
const DECLARED = /<(?:meta\b[^>]*?\bcharset|\?xml\b[^>]*?\bencoding)\s*=\s*["']?\s*([\w.:-]+)/i;

/**
 * Decodes the bytes of a page. UTF-8 is tried first, because many UTF-8 pages declare something else; otherwise the page is decoded with
 * its declared encoding, by the labels of the Encoding Standard. If it declares none, or an unknown one, {@link decodeText} warns.
 */
export function decodePage(bytes: Uint8Array): ReturnType<typeof decodeText> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  return decodeText(bytes, { declared: DECLARED.exec(head)?.[1] });
}
