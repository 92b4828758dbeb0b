import { decodeText } from '@kebab/plugin';

/** Where a page has to declare its encoding: within its first 1,024 bytes (HTML Standard, "Specifying the document's character encoding"). */
const DECLARATION_BYTES = 1024;
const DECLARED = /<(?:meta\b[^>]*?\bcharset|\?xml\b[^>]*?\bencoding)\s*=\s*["']?\s*([\w.:-]+)/i;

/**
 * What windows-1252 has at 0x80 to 0x9F (Encoding Standard, index-windows-1252), where ISO 8859-1 has control characters. Node's decoder reads
 * windows-1252 as ISO 8859-1 from 20.18.3 on and in all of 22 after 22.12 (nodejs/node#56542).
 */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';
const FIRST_OF_WINDOWS = 0x80;

/**
 * The bytes of a page as text. UTF-8 comes first, because many pages that are UTF-8 declare something else; a page that is not is read in the
 * encoding it declares, by the labels of the Encoding Standard. Where it declares none, or an unknown one, {@link decodeText} warns.
 */
export function decodePage(bytes: Uint8Array): ReturnType<typeof decodeText> {
  const decoded = decodeText(bytes);
  if (decoded.warnings.length === 0) return decoded;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  const text = decodeAs(DECLARED.exec(head)?.[1], bytes);
  return text === null ? decoded : { text: text.replaceAll(/\r\n?/g, '\n'), warnings: [] };
}

/** Null where there is no such encoding, or the bytes are not valid in it. */
function decodeAs(label: string | undefined, bytes: Uint8Array): string | null {
  if (label === undefined) return null;
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
  return WINDOWS_1252[control.charCodeAt(0) - FIRST_OF_WINDOWS] ?? control;
}
