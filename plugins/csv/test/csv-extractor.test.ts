import { assetFrom, extractDocument, silentCallContext } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createCsvExtractor } from '../src/csv-extractor.ts';

const read = (text: string, path = 'ports.csv') => extractDocument(createCsvExtractor(), path, text);
const extract = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return createCsvExtractor().extract({ asset: assetFrom('ports.csv', bytes), bytes }, silentCallContext());
};

describe('a CSV table', () => {
  it.each([
    ['ports.csv', 'Port,Depth,Note\nBusan,12,\n"Rotter, ""dam""",24,"two\nlines"\n'],
    ['ports.csv', '\uFEFFPort;Depth;Note\nBusan;12;\n"Rotter, ""dam""";24;"two\nlines"\n'],
    ['ports.tsv', 'Port\tDepth\tNote\nBusan\t12\t\n"Rotter, ""dam"""\t24\t"two\nlines"\n'],
  ])('has the names of its columns in every row (%s)', async (path, content) => {
    expect((await read(content, path)).text).toBe(
      'Port | Depth | Note\nPort: Busan | Depth: 12\nPort: Rotter, "dam" | Depth: 24 | Note: two lines\n',
    );
  });

  it('cites a row by its number, counting blank rows and multi-line rows as one', async () => {
    const { blocks } = await read('a,b\n1,"x\ny"\n\n,\n2,z\n');
    expect(blocks.map(({ sourceSpan }) => sourceSpan)).toEqual(
      [1, 2, 5].map((row) => ({ kind: 'anchor', anchor: `row=${row}` })),
    );
  });

  it('keeps formulas as text', async () => {
    expect((await read('a\n=1+1\n"=HYPERLINK(""x"")"\n')).text).toContain('a: =1+1\na: =HYPERLINK("x")');
  });

  it('truncates a cell of megabytes with a warning', async () => {
    const { text, warnings } = await extract(`a,b\n1,${'x'.repeat(20_000_000)}\n2,y\n`);
    expect(text.length).toBeLessThan(11_000);
    expect(text).toContain('a: 2 | b: y');
    expect(warnings?.map(({ note }) => note)).toContain(
      'row 2 has a cell of more than 10000 characters, which was cut',
    );
  });

  it('reads fifty thousand rows and warns that there are more', async () => {
    const { blocks, warnings } = await extract(`a\n${'x\n'.repeat(60_000)}`);
    expect(blocks).toHaveLength(50_000);
    expect(warnings?.map(({ note }) => note)).toContain('row 50000 is the last that was read');
  });
});
