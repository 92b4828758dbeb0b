import { citedBlocks, extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createIpynbExtractor } from '../src/ipynb-extractor.ts';
import { NOTEBOOK } from './notebook.ts';

const notebook = (...cells: readonly object[]) => JSON.stringify({ nbformat: 4, metadata: {}, cells });
const shown = (...outputs: readonly object[]) =>
  notebook({
    cell_type: 'code',
    source: 'run()',
    outputs: outputs.map((data) => ({ output_type: 'display_data', data })),
  });
const printed = (...outputs: readonly object[]) => notebook({ cell_type: 'code', source: 'run()', outputs });

const read = (text: string) => extractDocument(createIpynbExtractor(), 'tides.ipynb', text);

describe('a notebook', () => {
  it('is cited by cell, code with its text output but without pictures', async () => {
    const document = await read(NOTEBOOK);
    expect(document.title).toBe('Tide analysis');
    expect(citedBlocks(document)).toEqual([
      ['heading', 'cell=1', '# Tide analysis'],
      ['paragraph', 'cell=1', 'Tides of the *harbour*.'],
      ['code', 'cell=2', 'import tides\ntides.plot()'],
      ['code', 'cell=2', 'high at 6\nlow at 12'],
      ['paragraph', 'cell=3', 'kept as it is'],
      ['heading', 'cell=4', '## Results'],
      ['paragraph', 'cell=4', 'Spring tides are higher.'],
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

  it.each([
    ['{"cells":[{"cell_type":"markdown","source":"tide"}],"metadata":{"a":NaN}}', 'tide'],
    [
      '{"metadata":{"a":[Infinity,-Infinity, NaN ]},"cells":[{"cell_type":"markdown","source":"NaN, Infinity"}]}',
      'NaN, Infinity',
    ],
    ['{"a":NaN,"cells":[{"cell_type":"markdown","source":"say \\"NaN\\" or -Infinity"}]}', 'say "NaN" or -Infinity'],
    ['{"a":-Infinity,"cells":[{"cell_type":"markdown","source":"path C:\\\\"}],"b":NaN}', 'path C:\\'],
    [
      '{"a":{"NaN":NaN},"cells":[{"cell_type":"code","source":"x","outputs":[{"data":{"application/json":{"y":NaN},"text/plain":"nan"}}]}]}',
      'nan',
    ],
  ])('may have numbers that JSON has not: %s', async (text, words) => {
    expect((await read(text)).text).toContain(words);
  });

  it('with NaN in megabytes of pictures is read in linear time', async () => {
    const picture = 'A'.repeat(8_000_000);
    const text = printed({ data: { 'image/png': picture, 'text/plain': 'tide' } }).replace(
      '"metadata":{}',
      '"metadata":{"a":NaN}',
    );
    expect((await read(text)).text).toContain('tide');
  });

  it.each([
    [
      shown({ 'text/markdown': '**low** water', 'text/plain': '<IPython.core.display.Markdown object>' }),
      '**low** water',
    ],
    [shown({ 'text/markdown': ['# Depths\n', '\n', 'Deep.'] }), '# Depths\n\nDeep.'],
    [
      shown({
        'text/html': '<p>low <b>water</b></p><script>no()</script>',
        'text/plain': '<IPython.core.display.HTML object>',
      }),
      'low water',
    ],
    [
      shown({
        'text/html': '<table><tr><th>Pier</th><th>m</th></tr><tr><td>North</td><td>7</td></tr></table>',
        'text/plain': '<app.Table at 0x7f3a2b>',
      }),
      '| Pier | m |\n| --- | --- |\n| North | 7 |',
    ],
    [shown({ 'text/latex': '$\\frac{a}{b}$', 'text/plain': '<IPython.core.display.Latex object>' }), '$\\frac{a}{b}$'],
    [shown({ 'text/latex': '$x$' }), '$x$'],
    [
      shown({
        'text/html': '<table><tr><th></th><th>depth</th></tr><tr><th>0</th><td>12</td></tr></table>',
        'text/plain': '   depth\n0      12',
      }),
      '   depth\n0      12',
    ],
    [
      shown({ 'text/html': '<p>Model: 12 trees of oak</p>', 'text/plain': 'Forest(12)' }),
      'Forest(12)\n\nModel: 12 trees of oak',
    ],
    [shown({ 'text/html': '<script>no()</script>', 'text/plain': 'Plot(tides)' }), 'Plot(tides)'],
    [
      shown({ 'application/json': { pier: ['north'] }, 'text/plain': '<IPython.core.display.JSON object>' }),
      '{\n  "pier": [\n    "north"\n  ]\n}',
    ],
    [
      shown(
        { 'application/javascript': 'go()', 'text/plain': '<IPython.core.display.Javascript object>' },
        { 'text/plain': 'after' },
      ),
      'after',
    ],
    [
      shown({ 'image/png': 'AAAA', 'text/plain': '<Figure size 640x480 with 1 Axes>' }, { 'text/plain': 'after' }),
      'after',
    ],
    [shown({ 'text/latex': '$x^2$', 'text/plain': 'x**2' }), 'x**2'],
    [
      shown({ 'image/png': 'AAAA', 'text/plain': '<IPython.core.display.Image object>' }, { 'text/plain': 'after' }),
      'after',
    ],
    [shown({ 'text/plain': '<app.Pier object at 0x7f3a2b>' }), '<app.Pier object at 0x7f3a2b>'],
    [printed({ output_type: 'pyout', html: '<i>old</i> form', text: '<app.Page object>' }), 'old form'],
  ])('shows what an output shows, not the name of its object: %s', async (text, words) => {
    expect((await read(text)).text).toBe(`run()\n\n${words}\n`);
  });

  it.each([
    ['\u001b[31mred\u001b[0m tide', 'red tide'],
    ['\u001b[1;38;5;200mbright\u001b[39m\u001b[K', 'bright'],
    ['\u001b]8;;https://example.org\u0007linked\u001b]8;;\u0007', 'linked'],
    ['10 %\r50 %\r100 %\r\ndone', '100 %\ndone'],
    ['one\r\ntwo\r\n', 'one\ntwo'],
  ])('prints as a terminal does: %j', async (output, words) => {
    expect((await read(printed({ output_type: 'stream', text: output }))).text).toBe(`run()\n\n${words}\n`);
  });

  it.each([
    [{ ename: 'KeyError', evalue: "'pier'", traceback: [] }, "KeyError: 'pier'"],
    [{ ename: 'KeyboardInterrupt', evalue: '', traceback: [] }, 'KeyboardInterrupt'],
    [{ ename: 'ValueError', evalue: 'too \u001b[1mdeep' }, 'ValueError: too deep'],
    [
      { ename: 'KeyError', evalue: 'x', traceback: ['\u001b[0;31mTraceback\u001b[0m', 'KeyError: x'] },
      'Traceback\nKeyError: x',
    ],
    [{ ename: 'KeyError', evalue: 'x', traceback: ['at line 3'] }, 'KeyError: x\nat line 3'],
  ])('names an error and its message: %j', async (error, words) => {
    expect((await read(printed({ output_type: 'error', ...error }))).text).toBe(`run()\n\n${words}\n`);
  });

  it('says where the output of a cell is longer than what is read', async () => {
    const content = printed({ output_type: 'stream', text: 'tide '.repeat(10_000) });
    const { text, warnings } = await extractFile(createIpynbExtractor(), 'tides.ipynb', content);
    expect(text.length).toBeLessThan(20_100);
    expect(warnings).toEqual([
      { kind: 'extract_failed', note: 'the output of cell 1 has more than 20000 characters; the rest was not read' },
    ]);
  });
});
