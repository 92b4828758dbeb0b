import { strToU8, zipSync } from 'fflate';

const chapter = (title: string, text: string): Uint8Array =>
  strToU8(
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`,
  );

/** A book of two chapters, with optional additional files. */
export function book(more: Readonly<Record<string, Uint8Array>> = {}): Uint8Array {
  return zipSync({
    mimetype: strToU8('application/epub+zip'),
    'META-INF/container.xml': strToU8(
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    ),
    'OEBPS/content.opf': strToU8(
      '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The lighthouse</dc:title><dc:language>en-GB</dc:language></metadata><manifest><item id="two" href="text/two%20b.xhtml"/><item id="one" href="one.xhtml"/></manifest><spine><itemref idref="one"/><itemref idref="two"/></spine></package>',
    ),
    'OEBPS/one.xhtml': chapter('The rock', 'Gulls nest on the rock.'),
    'OEBPS/text/two b.xhtml': chapter('The keeper', 'The keeper writes letters.'),
    ...more,
  });
}
