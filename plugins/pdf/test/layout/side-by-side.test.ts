import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';
import { lines, makePdf, type TestText } from '../make-pdf.ts';

type Font = TestText['font'];

/** Columns of lines, drawn one after the other; empty lines are left out. */
function columns(texts: readonly (readonly string[])[], xs: readonly number[], font: Font = 'latin'): TestText[] {
  return texts.flatMap((column, at) =>
    lines(column, { x: xs[at] ?? 60, y: 700, font }).filter(({ text }) => text !== ''),
  );
}

/** The same, drawn line by line. */
function byRow(texts: readonly (readonly string[])[], xs: readonly number[], font: Font = 'latin'): TestText[] {
  return columns(texts, xs, font).toSorted((one, other) => other.y - one.y || one.x - other.x);
}

const BODY = lines(
  ['The body of the letter begins below and is as wide as the page allows it,', 'and goes on for a second line.'],
  { x: 60, y: 560 },
);

async function linesOf(texts: readonly TestText[]): Promise<readonly string[]> {
  const { text } = await extract(makePdf({ pages: [{ texts }] }));
  return text.split('\n').filter((line) => line !== '');
}

describe('short blocks side by side', () => {
  it.each<[string, readonly (readonly string[])[], readonly number[], Font?]>([
    [
      'two addresses',
      [
        ['Harbour Works Ltd', '7 Quay Street', 'Hull'],
        ['Ida Holm', 'Kaigata 12', '5003 Bergen'],
      ],
      [60, 340],
    ],
    [
      'addresses of five lines and of four',
      [
        ['Harbour Works Ltd', 'Sail loft', '7 Quay Street', 'Hull', 'England'],
        ['Ida Holm', 'Kaigata 12', '5003 Bergen', 'Norway'],
      ],
      [60, 340],
    ],
    [
      'three cards',
      [
        ['Ada Birk', 'Boat builder', 'Phone 555 0131'],
        ['Bo Lind', 'Sail maker', 'Phone 555 0132'],
        ['Cleo Dahl', 'Rigger', 'Phone 555 0133'],
      ],
      [60, 230, 400],
    ],
    [
      'cards of two lines',
      [
        ['Ada Birk', 'builds small boats'],
        ['Bo Lind', 'makes sails'],
      ],
      [60, 300],
    ],
    [
      'two sentences',
      [
        ['The rope is laid from four', 'strands of hemp.'],
        ['The mast is cut in the winter', 'and dried until May.'],
      ],
      [60, 320],
    ],
    [
      'three columns of sentences',
      [
        ['The rope is laid from', 'four strands of', 'hemp.'],
        ['The mast is cut in the', 'winter and dried', 'until May.'],
        ['The sails are sewn by', 'hand on the floor of', 'the loft.'],
      ],
      [60, 230, 400],
    ],
    [
      'Korean sentences',
      [
        ['밧줄은 네 가닥의 삼으로', '꼬아서 만든다.'],
        ['돛대는 겨울에 베어서', '오월까지 말린다.'],
      ],
      [60, 320],
      'any',
    ],
    [
      'Japanese sentences',
      [
        ['縄は麻の四本の束から撚', 'って作ります。'],
        ['帆柱は冬に切り五月まで', '乾かします。'],
      ],
      [60, 320],
      'any',
    ],
    [
      'Russian addresses',
      [
        ['Верфь «Гавань»', 'Портовая улица, 7', 'Мурманск'],
        ['Ида Хольм', 'улица Мира, 12', 'Архангельск'],
      ],
      [60, 340],
      'any',
    ],
  ])('are read one after the other: %s', async (_, blocks, xs, font) => {
    expect(await linesOf([...columns(blocks, xs, font), ...BODY])).toEqual([
      ...blocks.flat(),
      ...BODY.map(({ text }) => text),
    ]);
  });

  it('are read from the right if they are written from right to left', async () => {
    const blocks = [
      ['בית מלאכה', 'רחוב הנמל', 'חיפה'],
      ['עדה ברק', 'שדרות הים', 'עכו'],
    ];
    const drawn = blocks.map((block) => block.map((text) => [...text].toReversed().join('')));
    expect(await linesOf(columns(drawn, [60, 340], 'any'))).toEqual([...(blocks[1] ?? []), ...(blocks[0] ?? [])]);
  });

  it('are found when they are drawn line by line, if sentences go on in each', async () => {
    const blocks = [
      ['The rope is laid from four', 'strands of hemp.'],
      ['The mast is cut in the winter', 'and dried until May.'],
    ];
    expect(await linesOf(byRow(blocks, [60, 320]))).toEqual(blocks.flat());
  });

  it.each([
    ['left', 40, 170],
    ['right', 470, 60],
  ])('may be a note in the %s margin', async (side, noteX, bodyX) => {
    const note = ['See the log of', 'the second', 'voyage'];
    const body = Array.from({ length: 9 }, (_, at) => `line ${at} of a paragraph that goes on and on beside it`);
    const texts = [...lines(body, { x: bodyX, y: 700 }), ...lines(note, { x: noteX, y: 672, size: 9, leading: 11 })];
    expect(await linesOf(texts)).toEqual(side === 'left' ? [...note, ...body] : [...body, ...note]);
  });

  it('of two rows of cards are read row by row', async () => {
    const upper = columns(
      [
        ['Ada Birk', 'Boat builder', 'Room 12'],
        ['Bo Lind', 'Sail maker', 'Room 14'],
      ],
      [60, 300],
    );
    const lower = columns(
      [
        ['Cleo Dahl', 'Master rigger', 'Room 15'],
        ['Dag Moen', 'Rope maker', 'Room 18'],
      ],
      [60, 300],
    ).map((text) => ({ ...text, y: text.y - 52 }));
    expect(await linesOf([...upper, ...lower])).toEqual([...upper, ...lower].map(({ text }) => text));
  });
});

describe('rows of tables and labels', () => {
  const TABLES: readonly [string, readonly (readonly string[])[], readonly number[], Font?][] = [
    [
      'prices',
      [
        ['Blue rope', 'Tarred twine', 'Brass shackle'],
        ['4.20', '1.95', '12.00'],
      ],
      [60, 340],
    ],
    [
      'a header and quantities',
      [
        ['Item', 'Blue rope', 'Tarred twine', 'Brass shackle'],
        ['Stock', '14 coils', '3 boxes', '120 pieces'],
      ],
      [60, 340],
    ],
    [
      'three columns of words',
      [
        ['Tool', 'Adze', 'Marlinspike', 'Caulking iron'],
        ['Used for', 'Hull planks', 'Splices', 'Seams'],
        ['Kept by', 'Ada Birk', 'Cleo Dahl', 'Bo Lind'],
      ],
      [60, 230, 400],
    ],
    [
      'labels with a colon',
      [
        ['Vessel:', 'Home port:', 'Built in:'],
        ['Northern Star', 'Hull', 'Bergen in Norway'],
      ],
      [60, 200],
    ],
    [
      'labels and values with a date',
      [
        ['Invoice', 'Issued', 'Paid by'],
        ['2031 / 118', '3 May 2031', 'Ida Holm'],
      ],
      [60, 200],
    ],
    [
      'dates and events',
      [
        ['3 May 1911', '14 June 1911', '2 July 1911'],
        ['Keel laid', 'Hull planked', 'Mast set'],
      ],
      [60, 200],
    ],
    [
      'Korean prices',
      [
        ['파란 밧줄', '놋쇠 고리', '돛천'],
        ['4,200', '1,950', '12,000'],
      ],
      [60, 340],
      'any',
    ],
    [
      'Korean labels',
      [
        ['선박：', '모항：'],
        ['북극성호', '부산항'],
      ],
      [60, 200],
      'any',
    ],
  ];
  const across = (texts: readonly (readonly string[])[]): readonly string[] =>
    (texts[0] ?? []).map((_, row) => texts.map((column) => column[row]).join(' '));

  it.each(TABLES)('stay whole when drawn column by column: %s', async (_, texts, xs, font) => {
    expect(await linesOf(columns(texts, xs, font))).toEqual(across(texts));
  });

  it.each<[string, readonly (readonly string[])[], readonly number[], Font?]>([
    ...TABLES,
    [
      'words of the same kind',
      [
        ['Blue rope', 'Tarred twine', 'Brass shackle'],
        ['Ada Birk', 'Bo Lind', 'Cleo Dahl'],
      ],
      [60, 340],
    ],
    [
      'options and what they do',
      [
        ['--all', '--brief', '--colour', '--depth', '--every', '--force'],
        [
          'Show the lines of all of the files',
          'show one line of each of the files',
          'show the matches in another colour',
          'stop at this number of folders',
          'show every nth line of the files',
          'do not ask before files are changed',
        ],
      ],
      [60, 200],
    ],
    [
      'long cells',
      [
        ['Rope of four strands of hemp', 'Twine with tar from pine', 'Shackle of cast brass', 'Block of ash and iron'],
        [
          'Coils on the left of the loft',
          'Boxes below the long bench',
          'Drawer of the chandler',
          'Hooks above the door',
        ],
      ],
      [60, 320],
    ],
  ])('stay whole when drawn line by line: %s', async (_, texts, xs, font) => {
    expect(await linesOf(byRow(texts, xs, font))).toEqual(across(texts));
  });

  it('read cells of several lines one after the other', async () => {
    const row = (y: number, cells: readonly (readonly string[])[]): readonly TestText[] =>
      cells.flatMap((cell, at) => lines(cell, { x: 60 + at * 220, y, leading: 13 }));
    const texts = [
      ...row(700, [
        ['Rope of four', 'strands of hemp'],
        ['Coils on the left', 'of the loft'],
      ]),
      ...row(660, [
        ['Twine with tar', 'from old pine'],
        ['Boxes below the', 'long bench'],
      ]),
    ];
    expect(await linesOf(texts)).toEqual(texts.map(({ text }) => text));
  });
});
