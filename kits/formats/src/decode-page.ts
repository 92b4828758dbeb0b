import { decodeText } from '@kebab/plugin';

/** A declaration in a tag; pages that are not UTF-8 often have it later than in the first 1,024 bytes, where the HTML Standard wants it. */
const DECLARED = /\b(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i;
const MAX_TAG = 1000;

/**
 * Decodes the bytes of a page. UTF-8 is tried first, because many UTF-8 pages declare something else; otherwise the page is decoded with
 * its declared encoding, by the labels of the Encoding Standard. If it declares none, or an unknown one, {@link decodeText} warns.
 */
export function decodePage(bytes: Uint8Array): ReturnType<typeof decodeText> {
  return decodeText(bytes, { declared: declaredEncoding(new TextDecoder('latin1').decode(bytes)) });
}

function declaredEncoding(page: string): string | undefined {
  for (const { index } of page.matchAll(/<(?:meta|\?xml)\b/gi)) {
    const [tag] = page.slice(index, index + MAX_TAG).split('>', 1);
    const declared = DECLARED.exec(tag ?? '')?.[1];
    if (declared !== undefined) return declared;
  }
  return undefined;
}
