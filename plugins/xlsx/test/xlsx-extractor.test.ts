import { extractDocument } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createXlsxExtractor } from '../src/xlsx-extractor.ts';
import { workbook } from './workbook.ts';

const read = (content: Uint8Array) => extractDocument(createXlsxExtractor(), 'a.xlsx', content);

describe('a workbook', () => {
  it('is read in order, each block with its citation', async () => {
    const { blocks, text } = await read(workbook());
    const shown = blocks.map(({ kind, sourceSpan, start, end }) => [
      kind,
      sourceSpan.kind === 'anchor' ? sourceSpan.anchor : '',
      text.slice(start, end),
    ]);
    expect(shown).toEqual([
      ['heading', 'sheet=Q3 %26 Q4&row=1', 'Q3 & Q4'],
      ['table', 'sheet=Q3 %26 Q4&row=1', 'Port | Depth | Twice'],
      ['table', 'sheet=Q3 %26 Q4&row=2', 'Port: Busan | Depth: 12 | Twice: 24'],
      ['table', 'sheet=Q3 %26 Q4&row=4', 'Port: Rotterdam | Depth: 24'],
      ['heading', 'sheet=Notes&row=1', 'Notes'],
      ['table', 'sheet=Notes&row=1', 'Note'],
      ['table', 'sheet=Notes&row=2', 'Note: Tides vary'],
    ]);
  });

  it('that unpacks to more than the limit is rejected', async () => {
    const bomb = workbook({ 'xl/worksheets/sheet1.xml': new Uint8Array(140 * 2 ** 20) });
    await expect(read(bomb)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('with damaged parts is rejected or loses only those', async () => {
    for (const part of ['', '<a', '<a>'.repeat(100_000), '\0'.repeat(1000)]) {
      const outcome = await read(workbook({ 'xl/worksheets/sheet1.xml': new TextEncoder().encode(part) })).catch(
        (error: unknown) => error,
      );
      expect(outcome).toSatisfy((given) => (given as { readonly code?: string }).code !== 'plugin_failed');
    }
  });
});
