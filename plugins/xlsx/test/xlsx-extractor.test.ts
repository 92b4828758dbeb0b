import { citedBlocks, extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createXlsxExtractor } from '../src/xlsx-extractor.ts';
import { sheetOf, workbook, type SheetParts } from './workbook.ts';

const read = (content: Uint8Array) => extractDocument(createXlsxExtractor(), 'a.xlsx', content);
const rowsOf = async (parts: SheetParts) => (await read(sheetOf(parts))).text.trimEnd().split('\n').slice(2);
const notesOf = async (bytes: Uint8Array) =>
  (await extractFile(createXlsxExtractor(), 'a.xlsx', bytes)).warnings?.map(({ note }) => note);
const cell = (at: string, value: string | number, style = 0) =>
  typeof value === 'number'
    ? `<c r="${at}" s="${style}"><v>${value}</v></c>`
    : `<c r="${at}" s="${style}" t="inlineStr"><is><t>${value}</t></is></c>`;

describe('a workbook', () => {
  it('is read in order, each block with its citation', async () => {
    const document = await read(workbook());
    expect(citedBlocks(document)).toEqual([
      ['heading', 'sheet=Q3 %26 Q4&row=1', 'Q3 & Q4'],
      ['table', 'sheet=Q3 %26 Q4&row=1', 'Port | Depth | Twice'],
      ['table', 'sheet=Q3 %26 Q4&row=2', 'Port: Busan | Depth: 12 | Twice: 24'],
      ['table', 'sheet=Q3 %26 Q4&row=4', 'Port: Rotterdam | Depth: 24'],
      ['heading', 'sheet=Notes&row=1', 'Notes'],
      ['table', 'sheet=Notes&row=1', 'Note'],
      ['table', 'sheet=Notes&row=2', 'Note: Tides vary'],
    ]);
  });
});

describe('a sheet with a title above its table', () => {
  it('has the names of the columns in the rows of the table', async () => {
    const title = `<row r="2">${cell('A2', 'Plan of quays')}</row>`;
    const table = `<row r="4">${cell('A4', 'Quay')}${cell('B4', 'Depth')}</row><row r="5">${cell('A5', 'North')}${cell('B5', 7)}</row>`;
    expect(await rowsOf({ rows: title + table })).toEqual(['Plan of quays', 'Quay | Depth', 'Quay: North | Depth: 7']);
  });
});

describe('a sheet with several tables', () => {
  it('has the names of each table in its rows', async () => {
    const row = (number: number, ...cells: readonly (string | number)[]) =>
      `<row r="${number}">${cells.map((one, at) => cell(`${'AB'[at]}${number}`, one)).join('')}</row>`;
    const rows = [row(1, 'Quay', 'Depth'), row(2, 'North', 7), row(4, 'Pilot', 'Licence'), row(5, 'Ada', 'first')];
    expect(await rowsOf({ rows: rows.join('') })).toEqual([
      'Quay | Depth',
      'Quay: North | Depth: 7',
      'Pilot | Licence',
      'Pilot: Ada | Licence: first',
    ]);
  });
});

describe('a cell', () => {
  it.each([
    ['0%', 0.07, '7%'],
    ['0.0%', 0.385, '38.5%'],
    [10, 0.385, '38.50%'],
    ['0%', 0.285, '29%'],
    ['0.0%', 0.0725, '7.3%'],
    ['0.00', 1.005, '1.01'],
    ['0.00', -1.005, '-1.01'],
    ['0.00', 8.134_999_999_999_99, '8.13'],
    ['0.0000000000', 0.1, '0.1000000000'],
    ['0000000', 4711, '0004711'],
    ['000-00-0000', 78051120, '078-05-1120'],
    ['[$€-407] #,##0.00', 1234.5, '€ 1,234.50'],
    ['#,##0.00\\ [$₩-412]', 1200, '1,200.00 ₩'],
    ['_("$"* #,##0.00_)', 86.2, '$86.20'],
    [3, 1_234_567, '1,234,567'],
    ['#,##0 "kg"', 1500, '1,500 kg'],
    ['0.0,,"M"', 12_345_678, '12.3M'],
    ['# ?/?', 1.5, '1 1/2'],
    ['# ?/?', 0.96, '1'],
    ['# ??/??', 3.9999, '4'],
    ['?/?', 1, '1/1'],
    ['#,##0.00 [$₽-419]', 0.5, '0.50 ₽'],
    ['[h]:mm:ss', 2.5, '60:00:00'],
    [46, 1.25, '30:00:00'],
    ['[mm]:ss', 0.0625, '90:00'],
    ['h:mm AM/PM', 0.75, '6:00 PM'],
    [21, 0.999_988_426, '23:59:59'],
    [22, 0.375, '09:00'],
    ['yyyy-mm-dd', 45_000, '2023-03-15'],
    ['dd/mm/yyyy hh:mm', 45_000.5, '15/03/2023 12:00'],
    ['dd\\.mm\\.yyyy;@', 45_000, '15.03.2023'],
    ['m/d/yyyy', 45_000, '2023-03-15'],
    [14, 45_000, '2023-03-15'],
    [57, 45_000, '2023-03-15'],
    ['mmmm yyyy', 45_000, 'March 2023'],
    ['[$-407]d. mmmm yyyy', 45_000, '15. März 2023'],
    ['yyyy"年"m"月"d"日"', 45_000, '2023年3月15日'],
    ['0;-0;"none"', 0, 'none'],
    ['"Lot "@', 'x7', 'Lot x7'],
    ['@', '0042', '0042'],
    ['0.00"', 5, '5'],
    ['General', 0.1 + 0.2, '0.3'],
    [0, 4_006_381_333_931, '4006381333931'],
    [0, 0.385, '0.385'],
  ])('of the format %j shows %j as %j', async (format, value, shown) => {
    const rows = `<row r="1">${cell('A1', 'figure')}</row><row r="2">${cell('A2', value, 1)}</row>`;
    expect(await rowsOf({ rows, formats: [format] })).toEqual(['figure', `figure: ${shown}`]);
  });

  it('with a date of a workbook that counts from 1904 has the same day', async () => {
    const rows = `<row r="1">${cell('A1', 'day')}</row><row r="2">${cell('A2', 43_538, 1)}</row>`;
    const parts = { rows, formats: [14], workbookPr: '<workbookPr date1904="1"/>' };
    expect(await rowsOf(parts)).toEqual(['day', 'day: 2023-03-15']);
  });

  it.each([
    ['<c t="s"><v>0</v></c>', 'rich text'],
    ['<c t="s"><v>1</v></c>', '東京'],
    ['<c t="s"><v>2</v></c>', 'two lines'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="e"><v>#N/A</v></c>', '#N/A'],
    ['<c t="str"><f>A1&amp;1</f><v>made</v></c>', 'made'],
    ['<c t="d"><v>2023-03-15T00:00:00Z</v></c>', '2023-03-15'],
    ['<c t="inlineStr"><is><r><t>in</t></r><r><t xml:space="preserve"> line</t></r></is></c>', 'in line'],
  ])('is read by its type: %s', async (xml, shown) => {
    const strings = [
      '<si><r><rPr><b/></rPr><t>rich</t></r><r><t xml:space="preserve"> text</t></r></si>',
      '<si><t>東京</t><rPh sb="0" eb="2"><t>とうきょう</t></rPh></si>',
      '<si><t>two_x000D_\nlines</t></si>',
    ];
    expect(await rowsOf({ rows: `<row>${xml}</row>`, strings })).toEqual([shown]);
  });

  it.each([
    [
      '<row><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row><c><v>1</v></c><c><v>2</v></c></row>',
      'a: 1 | b: 2',
    ],
    ['<row r="1"><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row><row r="2"><c r="B2"><v>2</v></c></row>', 'b: 2'],
    [
      '<row r="1"><c r="B1" t="str"><v>b</v></c><c t="str"><v>c</v></c></row><row><c r="B2"><v>1</v></c><c><v>2</v></c></row>',
      'b: 1 | c: 2',
    ],
    ['<x:row><x:c t="str"><x:v>a</x:v></x:c></x:row><x:row><x:c><x:v>7</x:v></x:c></x:row>', 'a: 7'],
    ['<row r="1"><c r="$A$1" t="str"><v>a</v></c></row><row r="2"><c r="a2"><v>7</v></c></row>', 'a: 7'],
  ])('without an address follows the one before it: %s', async (rows, last) => {
    expect((await rowsOf({ rows })).at(-1)).toBe(last);
  });

  it('in a row without an address is cited by the number of its row', async () => {
    const { blocks } = await read(
      sheetOf({ rows: `<row r="3"><c t="str"><v>a</v></c></row><row><c><v>1</v></c></row>` }),
    );
    expect(blocks.at(-1)?.sourceSpan).toEqual({ kind: 'anchor', anchor: 'sheet=Sheet1&row=4' });
  });
});

describe('merged cells', () => {
  const head = `<row r="1">${cell('A1', 'pier')}${cell('B1', 'berth')}${cell('C1', 'm')}</row>`;
  it.each([
    ['A2:A4', ['pier: North | berth: 1 | m: 5', 'pier: North | berth: 2 | m: 6', 'pier: North | berth: 3 | m: 7']],
    ['A2:A3', ['pier: North | berth: 1 | m: 5', 'pier: North | berth: 2 | m: 6', 'berth: 3 | m: 7']],
    ['$A$2:$A$4', ['pier: North | berth: 1 | m: 5', 'pier: North | berth: 2 | m: 6', 'pier: North | berth: 3 | m: 7']],
    [
      'A2:A1048576',
      ['pier: North | berth: 1 | m: 5', 'pier: North | berth: 2 | m: 6', 'pier: North | berth: 3 | m: 7'],
    ],
    ['bad', ['pier: North | berth: 1 | m: 5', 'berth: 2 | m: 6', 'berth: 3 | m: 7']],
  ])('over %s belong to every row that they cover', async (ref, expected) => {
    const rows = [2, 3, 4].map(
      (row) =>
        `<row r="${row}">${row === 2 ? cell('A2', 'North') : ''}${cell(`B${row}`, row - 1)}${cell(`C${row}`, row + 3)}</row>`,
    );
    const shown = await rowsOf({
      rows: head + rows.join(''),
      after: `<mergeCells><mergeCell ref="${ref}"/></mergeCells>`,
    });
    expect(shown.slice(1)).toEqual(expected);
  });

  it.each([
    [
      'with names of their own below',
      ['plan', 'real'],
      ['pier | berth', 'plan | real', 'pier: North | berth plan: 5 | berth real: 7'],
    ],
    ['with data below', [1, 2], ['pier | berth', 'berth: 1 | berth: 2', 'pier: North | berth: 5 | berth: 7']],
  ])('over columns name each of them, %s', async (_, [left = '', right = ''], expected) => {
    const rows = `<row r="1">${cell('A1', 'pier')}${cell('B1', 'berth')}</row><row r="2">${cell('B2', left)}${cell('C2', right)}</row><row r="3">${cell('A3', 'North')}${cell('B3', 5)}${cell('C3', 7)}</row>`;
    expect(await rowsOf({ rows, after: '<mergeCells><mergeCell ref="B1:C1"/></mergeCells>' })).toEqual(expected);
  });

  it('name columns in two rows below a title, and beside a name in the upper row alone', async () => {
    const rows = [
      cell('A1', 'Berths of the port'),
      cell('A2', 'pier') + cell('B2', 'berth') + cell('D2', 'note'),
      cell('B3', 'plan') + cell('C3', 'real'),
      cell('A4', 'North') + cell('B4', 5) + cell('C4', 7) + cell('D4', 'deep'),
    ].map((cells, at) => `<row r="${at + 1}">${cells}</row>`);
    const after = '<mergeCells><mergeCell ref="A1:D1"/><mergeCell ref="A2:A3"/><mergeCell ref="B2:C2"/></mergeCells>';
    expect(await rowsOf({ rows: rows.join(''), after })).toEqual([
      'Berths of the port',
      'pier | berth | note',
      'pier | plan | real',
      'pier: North | berth plan: 5 | berth real: 7 | note: deep',
    ]);
  });

  it('over whole rows are read once', async () => {
    const rows = `${head}<row r="2">${cell('A2', 'A long remark')}</row><row r="3"></row><row r="4"><c r="B4"/></row>`;
    const shown = await rowsOf({ rows, after: '<mergeCells><mergeCell ref="A2:C4"/></mergeCells>' });
    expect(shown).toEqual(['pier | berth | m', 'pier: A long remark']);
  });
});

describe('comments on cells', () => {
  const rows = `<row r="1">${cell('A1', 'pier')}</row><row r="2">${cell('A2', 'North')}</row>`;
  const legacy = (ref: string, text: string) =>
    `<comments><authors><author>Ada</author></authors><commentList><comment ref="${ref}" authorId="0"><text><r><t>${text}</t></r></text></comment></commentList></comments>`;
  const conversation =
    '<ThreadedComments><threadedComment ref="A2" personId="p1" id="1"><text>Is it deep?</text></threadedComment><threadedComment ref="A2" personId="p2" id="2" parentId="1"><text>Nine metres.</text></threadedComment></ThreadedComments>';
  const persons = {
    'xl/persons/person.xml':
      '<personList><person displayName="Bea" id="p1"/><person displayName="Cem" id="p2"/></personList>',
  };

  it.each([
    [[['comments', 'xl/c.xml', legacy('A2', 'Ada:_x000A_Ask the pilot')]], ['Comment on A2 by Ada: Ask the pilot']],
    [
      [['threadedComment', 'xl/threadedComments/t.xml', conversation]],
      ['Comment on A2 by Bea: Is it deep?', 'Comment on A2 by Cem: Nine metres.'],
    ],
    [
      [
        ['comments', 'xl/c.xml', legacy('A2', '[Threaded comment] Is it deep?')],
        ['threadedComment', 'xl/t.xml', conversation],
      ],
      ['Comment on A2 by Bea: Is it deep?', 'Comment on A2 by Cem: Nine metres.'],
    ],
    [[['comments', 'xl/c.xml', legacy('C9', 'An empty cell')]], ['Comment on C9 by Ada: An empty cell']],
  ] as const)('follow their row with their author: %j', async (related, expected) => {
    const { blocks, text } = await read(sheetOf({ rows, related, more: persons }));
    const quotes = blocks.filter(({ kind }) => kind === 'quote');
    expect(quotes.map(({ start, end }) => text.slice(start, end))).toEqual(expected);
    const row = /\d+/.exec(expected[0])?.[0];
    expect(quotes[0]?.sourceSpan).toEqual({ kind: 'anchor', anchor: `sheet=Sheet1&row=${row}` });
  });
});

describe('what lies over the cells', () => {
  const rows = `<row r="1">${cell('A1', 'pier')}</row>`;
  const at = (row: number, inner: string) =>
    `<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:row>${row}</xdr:row></xdr:from>${inner}</xdr:twoCellAnchor>`;
  const box = (words: string) => `<xdr:sp><xdr:txBody><a:p><a:r><a:t>${words}</a:t></a:r></a:p></xdr:txBody></xdr:sp>`;
  it.each([
    ['a text box', at(4, box('Mind the gap')), 5, 'Mind the gap'],
    ['boxes in a group', at(0, `<xdr:grpSp>${box('Left')}</xdr:grpSp>`), 1, 'Left'],
    ['a box at no row', `<xdr:absoluteAnchor>${box('Free')}</xdr:absoluteAnchor>`, 1, 'Free'],
    [
      'the title of a chart',
      at(2, '<xdr:graphicFrame><a:graphicData><c:chart r:id="c"/></a:graphicData></xdr:graphicFrame>'),
      3,
      'Ships\n\nTugs',
    ],
  ])('is %s, cited by its row', async (_, anchor, row, words) => {
    const more = {
      'xl/drawings/_rels/d.xml.rels':
        '<Relationships><Relationship Id="c" Type="http://x/chart" Target="../charts/c.xml"/></Relationships>',
      'xl/charts/c.xml':
        '<c:chartSpace><c:title><c:tx><c:rich><a:p><a:r><a:t>Ships</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:v>Tugs</c:v></c:tx></c:ser></c:chartSpace>',
    };
    const { blocks, text } = await read(
      sheetOf({ rows, related: [['drawing', 'xl/drawings/d.xml', `<xdr:wsDr>${anchor}</xdr:wsDr>`]], more }),
    );
    expect(text).toBe(`Sheet1\n\npier\n\n${words}\n`);
    expect(blocks.at(-1)?.sourceSpan).toEqual({ kind: 'anchor', anchor: `sheet=Sheet1&row=${row}` });
  });
});

describe('a sheet', () => {
  it('has texts that lie over its cells between its rows', async () => {
    const rows = `<row r="1">${cell('A1', 'pier')}</row><row r="9">${cell('A9', 'North')}</row>`;
    const box =
      '<xdr:wsDr><a><xdr:from><xdr:row>4</xdr:row></xdr:from><xdr:txBody><a:p><a:r><a:t>Mind the gap</a:t></a:r></a:p></xdr:txBody></a></xdr:wsDr>';
    expect(await rowsOf({ rows, related: [['drawing', 'xl/drawings/d.xml', box]] })).toEqual([
      'pier',
      '',
      'Mind the gap',
      '',
      'pier: North',
    ]);
  });

  it('that is a chart has its titles', async () => {
    const parts = {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="a" Type="x/chartsheet" Target="chartsheets/s.xml"/><Relationship Id="b" Type="x/worksheet" Target="worksheets/sheet2.xml"/></Relationships>',
      'xl/chartsheets/s.xml': '<chartsheet><drawing r:id="d"/></chartsheet>',
      'xl/chartsheets/_rels/s.xml.rels':
        '<Relationships><Relationship Id="d" Type="x/drawing" Target="../drawings/d.xml"/></Relationships>',
      'xl/drawings/d.xml':
        '<xdr:wsDr><xdr:absoluteAnchor><xdr:graphicFrame><c:chart r:id="c"/></xdr:graphicFrame></xdr:absoluteAnchor></xdr:wsDr>',
      'xl/drawings/_rels/d.xml.rels':
        '<Relationships><Relationship Id="c" Type="x/chart" Target="../charts/c.xml"/></Relationships>',
      'xl/charts/c.xml':
        '<c:chartSpace><c:title><a:p><a:r><a:t>Ships a year</a:t></a:r></a:p></c:title></c:chartSpace>',
    };
    const encoded = Object.entries(parts).map(([name, xml]) => [name, new TextEncoder().encode(xml)] as const);
    expect((await read(workbook(Object.fromEntries(encoded)))).text).toBe(
      'Q3 & Q4\n\nShips a year\n\nNotes\n\nNote\nNote: Tides vary\n',
    );
  });

  it('that is missing or damaged is named, and the others are read', async () => {
    const bytes = workbook({ 'xl/worksheets/sheet1.xml': new Uint8Array(5000).map((_, at) => (at * 7919) % 251) });
    const gone = workbook({ 'xl/_rels/workbook.xml.rels': new TextEncoder().encode('<Relationships/>') });
    expect(await notesOf(gone)).toEqual([
      'sheet Q3 & Q4 was not read: its part is missing',
      'sheet Notes was not read: its part is missing',
    ]);
    expect((await read(bytes)).text).toContain('Tides vary');
    const at = Buffer.from(bytes).indexOf('xl/worksheets/sheet1.xml') + 'xl/worksheets/sheet1.xml'.length;
    const damaged = bytes.slice().fill(0xff, at, at + 60);
    expect(await notesOf(damaged)).toEqual(['sheet Q3 & Q4 was not read: its part is damaged']);
    expect((await read(damaged)).text).toContain('Tides vary');
  });

  it('names formulas without a saved result, and cells that are too far to the right', async () => {
    const far = Array.from({ length: 503 }, () => '<c t="str"><v>x</v></c>').join('');
    expect(
      await notesOf(sheetOf({ rows: `<row><c><f>1+1</f></c><c><f>1+2</f><v>3</v></c></row><row>${far}</row>` })),
    ).toEqual([
      'sheet Sheet1 has formulas whose results are not saved in the file: 1',
      'sheet Sheet1 has cells beyond column 500, which were not read: 3',
    ]);
  });
});
