import { decodeText } from '@kebab/plugin';

/** Where a page has to declare its encoding: within its first 1,024 bytes (HTML Standard, "Specifying the document's character encoding"). */
const DECLARATION_BYTES = 1024;
const DECLARED = /<(?:meta\b[^>]*?\bcharset|\?xml\b[^>]*?\bencoding)\s*=\s*["']?\s*([\w.:-]+)/i;

/**
 * The bytes of a page as text. UTF-8 comes first, because many pages that are UTF-8 declare something else; a page that is not is read in the
 * encoding it declares, by the labels of the Encoding Standard. Where it declares none, or an unknown one, {@link decodeText} warns.
 */
export function decodePage(bytes: Uint8Array): ReturnType<typeof decodeText> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES));
  return decodeText(bytes, { declared: DECLARED.exec(head)?.[1] });
}
