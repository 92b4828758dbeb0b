import type { PluginFixtures } from '@kebab/plugin/testing';
import { strToU8, zipSync } from 'fflate';

const CONTAINER = `<?xml version="1.0"?><container><rootfiles>
  <rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`;
const PACKAGE = `<?xml version="1.0"?><package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>
  <dc:title>The Keeper &amp; the Sea</dc:title><dc:creator>A. Writer</dc:creator><dc:language>en-GB</dc:language></metadata>
  <manifest><item id="two" href="text/two.xhtml"/><item href='text/one%20one.xhtml' id='one'/></manifest>
  <spine><itemref idref="one"/><itemref idref="two"/></spine></package>`;
const ONE = `<html><head><title>no</title><style>p{}</style></head><body><h1>One</h1>
  <p>The <em>lighthouse</em> stands&#160;there.</p><!-- <p>unseen</p> --><h2>Night</h2><p>It is dark: 한국어 &#x1F600;.</p></body></html>`;
const TWO = '<html><body><h1>Two</h1><div>Bread needs<br/>time.</div></body></html>';

/** The bytes of a book with two chapters. */
export function sampleBook(): Uint8Array {
  const files = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER,
    'OEBPS/book.opf': PACKAGE,
    'OEBPS/text/one one.xhtml': ONE,
    'OEBPS/text/two.xhtml': TWO,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
}

/** Input of the contract suites. */
export const fixtures: PluginFixtures = {
  extractor: {
    epub: (make) => ({ make, text: 'derived', fixtures: [{ path: 'books/keeper.epub', content: sampleBook() }] }),
  },
};
