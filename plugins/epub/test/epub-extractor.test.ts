import { extractDocument } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createEpubExtractor } from '../src/epub-extractor.ts';
import { book } from './book.ts';

const read = (content: Uint8Array) => extractDocument(createEpubExtractor(), 'a.epub', content);

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
