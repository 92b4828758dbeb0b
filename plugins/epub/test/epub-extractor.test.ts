import { assetFrom, extractDocument, silentCallContext } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createEpubExtractor } from '../src/epub-extractor.ts';
import { book } from './book.ts';

const read = (content: Uint8Array) => extractDocument(createEpubExtractor(), 'a.epub', content);
const extract = (bytes: Uint8Array) =>
  createEpubExtractor().extract({ asset: assetFrom('a.epub', bytes), bytes }, silentCallContext());

describe('a book', () => {
  it('is read in order, each block with its citation', async () => {
    const { blocks, text, title } = await read(book());
    expect(title).toBe('The lighthouse');
    const shown = blocks.map(({ kind, sourceSpan, start, end }) => [
      kind,
      sourceSpan.kind === 'anchor' ? sourceSpan.anchor : '',
      text.slice(start, end),
    ]);
    expect(shown).toEqual([
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

  it('names chapters that are encrypted or missing, and reads the others', async () => {
    const encryption = '<encryption><e:CipherReference URI="OEBPS/one.xhtml"/></encryption>';
    const { text, warnings } = await extract(book({ 'META-INF/encryption.xml': utf8(encryption) }));
    expect(text).toBe('The keeper\n\nThe keeper writes letters.\n');
    expect(warnings).toEqual([{ kind: 'extract_failed', note: 'chapter 1 (OEBPS/one.xhtml) is encrypted' }]);
    const missing = await extract(book({ 'OEBPS/content.opf': opf('two.xhtml') }));
    expect(missing.warnings).toEqual([{ kind: 'extract_failed', note: 'chapter 1 (OEBPS/two.xhtml) is missing' }]);
  });

  it('that unpacks to more than the limit is rejected', async () => {
    const bomb = book({ 'OEBPS/one.xhtml': new Uint8Array(140 * 2 ** 20) });
    await expect(read(bomb)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('with damaged parts is rejected or loses only those', async () => {
    for (const part of ['', '<a', '<a>'.repeat(100_000), '\0'.repeat(1000)]) {
      const outcome = await read(book({ 'OEBPS/one.xhtml': new TextEncoder().encode(part) })).catch(
        (error: unknown) => error,
      );
      expect(outcome).toSatisfy((given) => (given as { readonly code?: string }).code !== 'plugin_failed');
    }
  });
});
