import { citedBlocks, extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createEpubExtractor } from '../src/epub-extractor.ts';
import { book } from './book.ts';

const read = (content: Uint8Array) => extractDocument(createEpubExtractor(), 'a.epub', content);
const extract = (bytes: Uint8Array) => extractFile(createEpubExtractor(), 'a.epub', bytes);

describe('a book', () => {
  it('is read in order, each block with its citation', async () => {
    const document = await read(book());
    expect(document.title).toBe('The lighthouse');
    expect(citedBlocks(document)).toEqual([
      ['heading', 'chapter=1', 'The rock'],
      ['paragraph', 'chapter=1', 'Gulls nest on the rock.'],
      ['heading', 'chapter=2', 'The keeper'],
      ['paragraph', 'chapter=2', 'The keeper writes letters.'],
    ]);
  });

  const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
  const opf = (href: string): Uint8Array =>
    utf8(
      `<package><manifest><item id="one" href="${href}"/></manifest><spine><itemref idref="one"/></spine></package>`,
    );

  it.each(['one.xht', 'chapter', 'one.php', 'ONE.XHTML'])(
    'has its chapters where the manifest says: %s',
    async (href) => {
      const name = href === 'ONE.XHTML' ? 'one.xhtml' : href;
      const { text } = await read(
        book({ 'OEBPS/content.opf': opf(href), [`OEBPS/${name}`]: utf8('<p>Gulls rest.</p>') }),
      );
      expect(text).toBe('Gulls rest.\n');
    },
  );

  it.each([
    ['UTF-16', Uint8Array.from([0xff, 0xfe, ...[...'<p>é</p>'].flatMap((letter) => [letter.charCodeAt(0), 0])])],
    ['windows-1252', Uint8Array.from([...utf8('<?xml version="1.0" encoding="windows-1252"?><p>'), 0xe9])],
  ])('has chapters in %s', async (_, chapter) => {
    expect((await read(book({ 'OEBPS/content.opf': opf('one.xhtml'), 'OEBPS/one.xhtml': chapter }))).text).toBe('é\n');
  });

  it('is found by a container with a namespace prefix', async () => {
    const container =
      '<c:container xmlns:c="x"><c:rootfiles><c:rootfile full-path="OEBPS/content.opf"/></c:rootfiles></c:container>';
    expect((await read(book({ 'META-INF/container.xml': utf8(container) }))).title).toBe('The lighthouse');
  });

  it('has the first of its titles', async () => {
    const metadata = '<dc:title>The light</dc:title><dc:title>A story of gulls</dc:title>';
    const { title } = await read(
      book({ 'OEBPS/content.opf': utf8(`<package><metadata>${metadata}</metadata></package>`) }),
    );
    expect(title).toBe('The light');
  });

  it('without a reading order is read in the order of its files', async () => {
    const files =
      '<item id="a" href="one.xhtml"/><item id="n" href="toc.ncx"/><item id="b" href="text/two%20b.xhtml"/>';
    const { text } = await read(
      book({ 'OEBPS/content.opf': utf8(`<package><manifest>${files}</manifest></package>`) }),
    );
    expect(text).toBe('The rock\n\nGulls nest on the rock.\n\nThe keeper\n\nThe keeper writes letters.\n');
  });

  it('names chapters that are encrypted or missing, and reads the others', async () => {
    const encryption = '<encryption><e:CipherReference URI="OEBPS/one.xhtml"/></encryption>';
    const { text, warnings } = await extract(book({ 'META-INF/encryption.xml': utf8(encryption) }));
    expect(text).toBe('The keeper\n\nThe keeper writes letters.\n');
    expect(warnings).toEqual([{ kind: 'extract_failed', note: 'chapter 1 (OEBPS/one.xhtml) is encrypted' }]);
    const missing = await extract(book({ 'OEBPS/content.opf': opf('two.xhtml') }));
    expect(missing.warnings).toEqual([{ kind: 'extract_failed', note: 'chapter 1 (OEBPS/two.xhtml) is missing' }]);
  });

  const spineOf = (items: string, ids: readonly string[]): Uint8Array =>
    utf8(
      `<package><manifest>${items}</manifest><spine>${ids.map((id) => `<itemref idref="${id}"/>`).join('')}</spine></package>`,
    );

  it('names chapters that have no file and those that are pictures, and numbers the others by the order of the book', async () => {
    const items =
      '<item id="cover" href="cover.php" media-type="image/jpeg"/><item id="map" href="map.png"/><item id="one" href="one.xhtml"/>';
    const { blocks, warnings } = await extract(
      book({
        'OEBPS/content.opf': spineOf(items, ['cover', 'map', 'lost', 'one']),
        'OEBPS/cover.php': Uint8Array.from([0xff, 0xd8, 0xff]),
        'OEBPS/map.png': Uint8Array.from([0x89, 0x50]),
      }),
    );
    expect(blocks[0]?.sourceSpan).toEqual({ kind: 'anchor', anchor: 'chapter=4' });
    expect(warnings?.map(({ note }) => note)).toEqual([
      'chapter 1 (OEBPS/cover.php) is not a text',
      'chapter 2 (OEBPS/map.png) is not a text',
      'chapter 3 (lost) is missing',
    ]);
  });

  it('has the words of a drawing, and chapters beside the main text', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>t</title><text>Channel</text><text>Shoal</text></svg>';
    const items = '<item id="map" href="map.svg" media-type="image/svg+xml"/><item id="one" href="one.xhtml"/>';
    const { text } = await read(
      book({
        'OEBPS/content.opf': utf8(
          `<package><manifest>${items}</manifest><spine><itemref idref="map"/><itemref idref="one" linear="no"/></spine></package>`,
        ),
        'OEBPS/map.svg': utf8(svg),
      }),
    );
    expect(text).toBe('Channel Shoal\n\nThe rock\n\nGulls nest on the rock.\n');
  });

  it.each(['', '<container/>', '<container><rootfile full-path="gone.opf"/></container>'])(
    'is found without a container that names it: %j',
    async (container) => {
      expect((await read(book({ 'META-INF/container.xml': utf8(container) }))).title).toBe('The lighthouse');
    },
  );

  it('without a package is rejected', async () => {
    const { zipSync } = await import('fflate');
    await expect(read(zipSync({ 'one.xhtml': utf8('<p>x</p>') }))).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('is read as XHTML, whose elements close themselves', async () => {
    const page = utf8('<html><body><p>before</p><script src="x.js"/><p>after</p></body></html>');
    expect((await read(book({ 'OEBPS/content.opf': opf('one.xhtml'), 'OEBPS/one.xhtml': page }))).text).toBe(
      'before\n\nafter\n',
    );
  });
});
