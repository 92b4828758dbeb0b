import { extractDocument } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createPptxExtractor } from '../src/pptx-extractor.ts';
import { presentation } from './presentation.ts';

const read = (content: Uint8Array) => extractDocument(createPptxExtractor(), 'a.pptx', content);

describe('a presentation', () => {
  it('is read in order, each block with its citation', async () => {
    const { blocks, text } = await read(presentation());
    const shown = blocks.map(({ kind, sourceSpan, start, end }) => [
      kind,
      sourceSpan.kind === 'anchor' ? sourceSpan.anchor : '',
      text.slice(start, end),
    ]);
    expect(shown).toEqual([
      ['heading', 'slide=1', 'Harbour plan'],
      ['paragraph', 'slide=1', 'For 2027'],
      ['heading', 'slide=2', 'Fees & dues'],
      ['paragraph', 'slide=2', 'Tugs pay twelve.\nFerries pay less.'],
      ['quote', 'slide=2', 'Mention the discount.'],
    ]);
  });

  it('that unpacks to more than the limit is rejected', async () => {
    const bomb = presentation({ 'ppt/slides/slide1.xml': new Uint8Array(140 * 2 ** 20) });
    await expect(read(bomb)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('with damaged parts is rejected or loses only those', async () => {
    for (const part of ['', '<a', '<a>'.repeat(100_000), '\0'.repeat(1000)]) {
      const outcome = await read(presentation({ 'ppt/slides/slide1.xml': new TextEncoder().encode(part) })).catch(
        (error: unknown) => error,
      );
      expect(outcome).toSatisfy((given) => (given as { readonly code?: string }).code !== 'plugin_failed');
    }
  });
});
