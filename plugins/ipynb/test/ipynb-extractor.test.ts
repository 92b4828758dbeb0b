import { extractDocument } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createIpynbExtractor } from '../src/ipynb-extractor.ts';
import { NOTEBOOK } from './notebook.ts';

const read = (text: string) => extractDocument(createIpynbExtractor(), 'tides.ipynb', text);

describe('a notebook', () => {
  it('is cited by cell, code with its text output but without pictures', async () => {
    const { blocks, text, title } = await read(NOTEBOOK);
    expect(title).toBe('Tide analysis');
    expect(
      blocks.map(({ kind, sourceSpan, start, end }) => [
        sourceSpan.kind === 'anchor' ? sourceSpan.anchor : '',
        kind,
        text.slice(start, end),
      ]),
    ).toEqual([
      ['cell=1', 'heading', '# Tide analysis'],
      ['cell=1', 'paragraph', 'Tides of the *harbour*.'],
      ['cell=2', 'code', 'import tides\ntides.plot()'],
      ['cell=2', 'code', 'high at 6\nlow at 12\n\n<Figure>'],
      ['cell=3', 'paragraph', 'kept as it is'],
      ['cell=4', 'heading', '## Results'],
      ['cell=4', 'paragraph', 'Spring tides are higher.'],
    ]);
  });

  it('of format 3 is read from its worksheets', async () => {
    const old = { nbformat: 3, worksheets: [{ cells: [{ cell_type: 'code', input: 'print(1)', outputs: [] }] }] };
    expect((await read(JSON.stringify(old))).text).toBe('print(1)\n');
  });

  it.each(['', '[1]', '{"cells":', '"text"'])('that is invalid is rejected: %j', async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it.each(['{"cells":7}', '{"cells":[null,7,{"source":{}}]}', '{"cells":[{"cell_type":"code","outputs":{"a":1}}]}'])(
    'with malformed parts loses only those: %s',
    async (text) => {
      await expect(read(text)).resolves.toMatchObject({ text: '' });
    },
  );
});
