import { extractDocument } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createDocxExtractor } from '../src/docx-extractor.ts';
import { wordDocument } from './document.ts';

const read = (content: Uint8Array) => extractDocument(createDocxExtractor(), 'a.docx', content);

describe('a Word document', () => {
  it('is read in order, each block with its citation', async () => {
    const { blocks, text, title } = await read(wordDocument());
    expect(title).toBe('Harbour handbook');
    const shown = blocks.map(({ kind, sourceSpan, start, end }) => [
      kind,
      sourceSpan.kind === 'anchor' ? sourceSpan.anchor : '',
      text.slice(start, end),
    ]);
    expect(shown).toEqual([
      ['heading', 'section=harbour-handbook', 'Harbour handbook'],
      ['paragraph', 'section=harbour-handbook', 'The harbour opens at six.'],
      ['heading', 'section=fees', 'Fees'],
      ['table', 'section=fees', '| Ship | Fee |\n| --- | --- |\n| Tug | 12 |'],
    ]);
  });

  it('that unpacks to more than the limit is rejected', async () => {
    const bomb = wordDocument({ 'word/document.xml': new Uint8Array(140 * 2 ** 20) });
    await expect(read(bomb)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('with damaged parts is rejected or loses only those', async () => {
    for (const part of ['', '<a', '<a>'.repeat(100_000), '\0'.repeat(1000)]) {
      const outcome = await read(wordDocument({ 'word/document.xml': new TextEncoder().encode(part) })).catch(
        (error: unknown) => error,
      );
      expect(outcome).toSatisfy((given) => (given as { readonly code?: string }).code !== 'plugin_failed');
    }
  });
});
