import { citedBlocks, extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createCsvExtractor } from '../src/csv-extractor.ts';

const read = (text: string, path = 'ports.csv') => extractDocument(createCsvExtractor(), path, text);
const extract = (text: string) => extractFile(createCsvExtractor(), 'ports.csv', text);

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

  it('has the names of its columns below a title, which is text of its own', async () => {
    const { text } = await read('Plan of quays,,\n,,\nQuay,Depth,Note\nNorth,7,\n');
    expect(text).toBe('Plan of quays\nQuay | Depth | Note\nQuay: North | Depth: 7\n');
  });

  it('has no names if its first row is one of data, and those of each table if there are several', async () => {
    expect((await read('Ines,34\nLevi,41\n')).text).toBe('Ines | 34\nLevi | 41\n');
    const { text } = await read('Quay,Depth\nNorth,7\n\nPilot,Licence\nAda,first\n');
    expect(text).toBe('Quay | Depth\nQuay: North | Depth: 7\nPilot | Licence\nPilot: Ada | Licence: first\n');
  });

  it('reads a cell in quotation marks after a blank as one cell', async () => {
    const { text, warnings } = await extract('Port, "Note", Depth\n1, "x, y", 12\n2, "z" said, 13\n');
    expect(text).toContain('Port: 1 | Note: x, y | Depth: 12\nPort: 2 | Note: "z" said | Depth: 13');
    expect(warnings).toEqual([]);
  });

  it('keeps formulas as text', async () => {
    expect((await read('a\n=1+1\n"=HYPERLINK(""x"")"\n')).text).toContain('a: =1+1\na: =HYPERLINK("x")');
  });

  it('truncates a cell of megabytes with a warning', async () => {
    const { text, warnings } = await extract(`a,b\n1,${'x'.repeat(20_000_000)}\n2,y\n`);
    expect(text.length).toBeLessThan(101_000);
    expect(text).toContain('a: 2 | b: y');
    expect(warnings?.map(({ note }) => note)).toContain(
      'row 2 has a cell of more than 100000 characters, which was cut',
    );
  });

  it('names every kind of loss with its first row and how many more there are', async () => {
    const long = 'x'.repeat(100_001);
    const { warnings } = await extract(`a,b\n${`1,${long}\n`.repeat(120)}`);
    expect(warnings?.map(({ note }) => note)).toEqual([
      'row 2 and 119 more have a cell of more than 100000 characters, which was cut',
    ]);
  });

  it('reads fifty thousand rows and warns that there are more', async () => {
    const { blocks, warnings } = await extract(`a\n${'x\n'.repeat(60_000)}`);
    expect(blocks).toHaveLength(50_000);
    expect(warnings?.map(({ note }) => note)).toContain('row 50000 is the last that was read');
  });

  it.each([`a,b\n${'1,"6" x 2\n'.repeat(200_000)}2,"last`, `a,b\n${'1,"never ""\n'.repeat(200_000)}`])(
    'is not held up by stray quotation marks (%#)',
    async (text) => {
      expect((await extract(text)).blocks.length).toBeGreaterThan(0);
    },
  );
});

describe('a quotation mark in a table', () => {
  it.each([
    ['an inch mark', 'part,size\nA1,"6-32" screw\nA2,washer\n', ['A1 | "6-32" screw', 'A2 | washer']],
    [
      'a saying at the beginning',
      'who,what\nAda,"Never" was her word\nBea,none\n',
      ['Ada | "Never" was her word', 'Bea | none'],
    ],
    [
      'a mark that is never closed',
      'id,text\n1,"Open end\n2,next\n3,last\n',
      ['1 | "Open end', '2 | next', '3 | last'],
    ],
    [
      'two of them',
      'id,text\n1,"Open end\n2,plain\n3,"another open\n4,x\n',
      ['1 | "Open end', '2 | plain', '3 | "another open', '4 | x'],
    ],
    ['one before a quoted cell', 'id,text\n1,"Open end\n2,"well, formed"\n', ['1 | "Open end', '2 | well, formed']],
    [
      'ditto marks',
      'n,name,town\n1,Smith,Bath\n2,",York\n3,",Hull\n',
      ['1 | Smith | Bath', '2 | " | York', '3 | " | Hull'],
    ],
    [
      'marks inside that are not doubled',
      'n,said,to\n1,"he said "no, sir" twice",me\n',
      ['1 | he said "no, sir" twice | me'],
    ],
    [
      'marks with a backslash',
      'n,said,to\n1,"he said \\"no, sir\\" twice",me\n',
      ['1 | he said \\"no, sir\\" twice | me'],
    ],
    [
      'marks inside that are not doubled, in quoted rows',
      '"n","said"\n"1","so "b" c"\n"2","x, "y", z"\n',
      ['1 | "so "b" c"', '2 | x, "y", z'],
    ],
    ['such cells side by side', '"n","said","to"\n"1","a "b, c" d","e "f" g"\n', ['1 | a "b, c" d | e "f" g']],
    ['a mark in the middle of a cell', 'part,size\npipe,5" wide\nhose,7"\n', ['pipe | 5" wide', 'hose | 7"']],
    ['blanks after a quoted cell', 'a,b\n"x, y" ,z\n', ['x, y | z']],
    [
      'rows between two stray ones',
      `id,text\n1,"open\n${'2,mid\n'.repeat(30)}3,close"\n4,x\n`,
      ['1 | "open', ...Array.from({ length: 30 }, () => '2 | mid'), '3 | close"', '4 | x'],
    ],
    [
      'line breaks and delimiters in a quoted cell',
      'name,note,x\nEast,"Dear all,\n\nthe quay, north, is shut\nBye",1\nWest,ok,2\n',
      ['East | Dear all, the quay, north, is shut Bye | 1', 'West | ok | 2'],
    ],
    [
      'a table in a quoted cell',
      'name,data\nEast,"a,b,c\n1,2,3\n4,5,6"\nWest,ok\n',
      ['East | a,b,c 1,2,3 4,5,6', 'West | ok'],
    ],
    ['a quoted chat', 'name,note\nEast,"Hello,\nyes, fine"\nWest,ok\n', ['East | Hello, yes, fine', 'West | ok']],
    ['empty quoted cells', 'a,b,c\n"","",x\n1,"""",y\n', ['x', '1 | " | y']],
    ['an unclosed one at the end', 'a,b\n1,2\n3,"', ['1 | 2', '3 | "']],
  ])('is read as a person reads it: %s', async (_, content, rows) => {
    const [names = '', ...lines] = (await read(content)).text.trimEnd().split('\n');
    const plain = names.split(' | ');
    const shown = lines.map((line) =>
      plain.reduce((text, name) => text.replace(new RegExp(`(^| \\| )${name}: `), '$1'), line),
    );
    expect(shown).toEqual(rows);
    const tabbed = content.replaceAll(',', '\t');
    expect((await read(tabbed, 'ports.tsv')).blocks).toHaveLength(rows.length + 1);
  });

  it('that encloses no cell is named, and every later row has its own number', async () => {
    const table = await extract('id,text\n1,"open\n2,b\n3,c\n');
    expect(citedBlocks(table).map(([, place]) => place)).toEqual(['row=1', 'row=2', 'row=3', 'row=4']);
    expect(table.warnings?.map(({ note }) => note)).toEqual([
      'row 2 has a quotation mark that encloses no cell; it is read as a character',
    ]);
  });
});

describe('the delimiter of a table', () => {
  it.each([
    ['semicolons of unequal number', 'Pear, ripe;3;yes;\nPlum, dried;4;no;late;\nFig, green;5;yes\n', 'Plum, dried'],
    ['pipes of unequal number', 'Pear, ripe|3|yes|\nPlum, dried|4|no|late|\nFig, green|5|yes\n', 'Plum, dried'],
    [
      'pipes between blanks',
      'Pear, ripe | 3 | yes\nPlum, dried | 4 | no | late\nFig, green | 5 | yes\n',
      'Plum, dried',
    ],
    ['tabs of unequal number', 'Pear, ripe\t3\tyes\nPlum, dried\t4\tno\tlate\nFig, green\t5\tyes\n', 'Plum, dried'],
    ['commas without a blank', 'Pear,ripe;3;yes;\nPlum,dried;4;no;late;\nFig,green;5;yes\n', 'Plum,dried'],
    ['two columns with a comma in the first', 'Pear,ripe;3\nPlum,dried;4\n', 'Plum,dried'],
    ['decimal commas', 'Pear;1,5;yes\nPlum;2,5;no;late\nFig;3,75;yes\n', '2,5'],
    ['decimal commas in pairs', '1,5;2,5\n2,5;3,5\n4,5;5,5\n', '2,5'],
    ['semicolons in sentences', 'name,note\nHeron,a; b; c\nPlum,d; e; f\n', 'd; e; f'],
    ['semicolons in quoted cells', 'name,note\nHeron,"a;b;c"\nPlum,"d;e;f"\n', 'd;e;f'],
    ['numbers alone', '1,2,3\n4,5,6\n', '5'],
    ['commas with blanks', 'name, size, note\nPear, 3, ripe\nPlum, 4, dried\n', 'dried'],
  ])('is the one that makes cells: %s', async (_, content, cell) => {
    const { text } = await read(content);
    expect(text).toMatch(new RegExp(`(?:^|\\n|[:|] )${cell.replaceAll('.', '\\.')}(?: \\||\\n)`));
  });

  it.each([
    ['sep=;\nstone;hue\nonyx;black, grey\n', 'stone: onyx | hue: black, grey'],
    ['sep=|\r\nstone|hue\r\nonyx|black\r\n', 'stone: onyx | hue: black'],
    ['SEP=,\nstone,hue\nonyx,a;b;c\n', 'stone: onyx | hue: a;b;c'],
    ['"sep=;"\nstone;hue\nonyx;black\n', 'stone: onyx | hue: black'],
    ['\uFEFFsep=\t\nstone\thue\nonyx\tblack\n', 'stone: onyx | hue: black'],
    ['sep=^\nstone^hue\nonyx^black\n', 'stone: onyx | hue: black'],
  ])('is the one of a first line %j, which is no row', async (content, row) => {
    const { text, blocks } = await read(content);
    expect(text).toContain(row);
    expect(text).not.toMatch(/sep=/i);
    expect(blocks[0]?.sourceSpan).toEqual({ kind: 'anchor', anchor: 'row=1' });
  });

  it('leaves a table whose first column is named sep', async () => {
    expect((await read('sep,oct\n1,2\n')).text).toBe('sep | oct\nsep: 1 | oct: 2\n');
  });
});
