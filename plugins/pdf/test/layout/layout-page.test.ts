import { describe, expect, it } from 'vitest';
import { extract } from '../extract.ts';
import { lines, makePdf, type TestPage, type TestText } from '../make-pdf.ts';

const LEFT = Array.from({ length: 12 }, (_, at) => `left line number ${at} fills its column`);
const RIGHT = Array.from({ length: 12 }, (_, at) => `right line number ${at} fills its column`);

describe('the text of a page', () => {
  it('has the lines of the page, and a blank line where the distance ends a paragraph', async () => {
    const texts = [
      ...lines(['One line', 'and the next.'], { x: 72, y: 700 }),
      ...lines(['Another paragraph', 'on two lines.'], { x: 72, y: 650 }),
    ];
    expect(await textOf({ texts })).toBe('One line\nand the next.\n\nAnother paragraph\non two lines.');
  });

  it('keeps hyphens at line ends', async () => {
    expect(await textOf({ texts: lines(['infor-', 'mation'], { x: 72, y: 700 }) })).toBe('infor-\nmation');
  });

  it('is in the order of the page, whatever the order of the stream', async () => {
    const texts = lines(['first', 'second', 'third'], { x: 72, y: 700 }).toReversed();
    expect(await textOf({ texts })).toBe('first\nsecond\nthird');
  });

  it('has spaces at gaps', async () => {
    const at = (text: string, x: number): TestText => ({ text, x, y: 700, size: 10, font: 'any' });
    expect(await textOf({ texts: [at('wo', 100), at('rd', 110), at('next', 123), at('far', 300)] })).toBe(
      'word next far',
    );
  });

  it('joins the first letter of a paragraph, set large, to its word, unless it may be a word', async () => {
    const paragraph = (cap: string, rest: string): TestPage => ({
      texts: [
        { text: cap, x: 72, y: 676, size: 36, font: 'any' as const },
        ...[rest, 'at dusk, and the', 'ships came home', 'before the rain.'].map((text, at) => ({
          text,
          x: at < 3 ? 92 : 72,
          y: 700 - 12 * at,
          size: 10,
          font: 'any' as const,
        })),
      ],
    });
    expect(await textOf(paragraph('T', 'he keeper lit it'))).toBe(
      'The keeper lit it\nat dusk, and the\nships came home\nbefore the rain.',
    );
    expect(await textOf(paragraph('A', 'keeper lit it'))).toMatch(/\bA\b/);
  });

  it('includes superscripts in their line', async () => {
    const texts = [
      { text: 'Somebody', x: 72, y: 700, size: 10, font: 'any' as const },
      { text: '2', x: 112, y: 704, size: 7, font: 'any' as const },
      { text: 'below', x: 72, y: 688, size: 10, font: 'any' as const },
    ];
    expect(await textOf({ texts })).toBe('Somebody2\nbelow');
  });

  it('includes indices that are set half a line higher or lower', async () => {
    const at = (text: string, x: number, y: number, size: number): TestText => ({ text, x, y, size, font: 'any' });
    const texts = [
      at('mmmm', 72, 700, 10),
      at('2', 92, 695, 8),
      at('oooo', 96, 700, 10),
      at('7', 116, 705, 6),
      at('next', 72, 688, 10),
      at('8', 92, 693, 7),
    ];
    expect(await textOf({ texts })).toBe('mmmm2oooo7\nnext8');
  });

  it('contains text that was drawn twice to look bold only once', async () => {
    const texts = [0, 0.4].map((shift) => ({ text: 'bold', x: 72 + shift, y: 700 }));
    expect(await textOf({ texts })).toBe('bold');
  });

  it('joins an accent to the letter it was set over', async () => {
    const at = (text: string, x: number): TestText => ({ text, x, y: 700, size: 10, font: 'any' });
    expect(await textOf({ texts: [at('na¨', 72), at('ıve', 82)] })).toBe('naïve');
  });

  it('is read column by column, and across where a line crosses both', async () => {
    const texts = [
      { text: 'A title that reaches over both of the columns of the page', x: 100, y: 780, size: 16 },
      ...RIGHT.map((text, at) => ({ text, x: 320, y: 740 - at * 14 })),
      ...LEFT.map((text, at) => ({ text, x: 60, y: 740 - at * 14 })),
      { text: 'A figure caption below, as wide as the page is, from one side to the other', x: 60, y: 520 },
    ];
    expect((await textOf({ texts })).split('\n').filter((line) => line !== '')).toEqual([
      'A title that reaches over both of the columns of the page',
      ...LEFT,
      ...RIGHT,
      'A figure caption below, as wide as the page is, from one side to the other',
    ]);
  });

  it('reads a page of three columns column by column', async () => {
    const columns = ['one', 'two', 'three'].map((name) =>
      Array.from({ length: 12 }, (_, at) => `column ${name} line ${at} here`),
    );
    const texts = columns.flatMap((column, at) => lines(column, { x: 40 + at * 180, y: 740 }));
    expect((await textOf({ texts })).split(/\n+/)).toEqual(columns.flat());
  });

  it('keeps the columns of each part of a page where they differ', async () => {
    const upper = [60, 180].map((x, side) =>
      Array.from({ length: 12 }, (_, at) => ({ text: `${side} upper ${at} of a part`, x, y: 780 - at * 14 })),
    );
    const lower = [LEFT, RIGHT].map((column, side) => lines(column, { x: side === 0 ? 60 : 320, y: 540 }));
    const middle = {
      text: 'A line between the parts that is as wide as the whole page is, or nearly so',
      x: 60,
      y: 580,
    };
    const texts = [...upper.flat(), middle, ...lower.flat()];
    expect((await textOf({ texts })).split(/\n+/)).toEqual(texts.map(({ text }) => text));
  });

  it('reads the rows of a table', async () => {
    const texts = Array.from({ length: 10 }, (_, row) =>
      ['name', 'size', 'cost'].map((cell, at) => ({ text: `${cell} ${row}`, x: 72 + at * 150, y: 740 - row * 18 })),
    ).flat();
    expect((await textOf({ texts })).split(/\n+/)[3]).toBe('name 3 size 3 cost 3');
  });

  it('has labels before their text', async () => {
    const texts = Array.from({ length: 12 }, (_, row) => [
      { text: `[${row + 1}]`, x: 60, y: 740 - row * 14 },
      { text: `an entry of the list of references, number ${row + 1}`, x: 90, y: 740 - row * 14 },
    ]).flat();
    expect((await textOf({ texts })).split('\n')[1]).toBe('[2] an entry of the list of references, number 2');
  });

  it('puts right-to-left text in logical order', async () => {
    const logical = 'שלום עולם';
    const drawn = [...logical].toReversed().join('');
    const texts = [
      { text: drawn, x: 400, y: 700, font: 'any' as const },
      { text: '2024', x: 360, y: 700, font: 'any' as const },
      { text: [...'סוף'].toReversed().join(''), x: 320, y: 700, font: 'any' as const },
    ];
    expect(await textOf({ texts })).toBe('שלום עולם 2024 סוף');
  });

  it('reads columns of right-to-left text from the right', async () => {
    const column = (letter: string): readonly string[] =>
      Array.from({ length: 12 }, (_, at) => letter.repeat(20) + 'אבגדהוזחטיכל'.charAt(at));
    const drawn = (texts: readonly string[], x: number): readonly TestText[] =>
      lines(
        texts.map((text) => [...text].toReversed().join('')),
        { x, y: 740, font: 'any' },
      );
    const texts = [...drawn(column('ש'), 60), ...drawn(column('מ'), 320)];
    expect((await textOf({ texts })).split(/\n+/)).toEqual([...column('מ'), ...column('ש')]);
  });

  it('reads vertical text from right to left', async () => {
    const texts = ['縦書きの一行目', '二行目', '三行目'].map((text, at) => ({
      text,
      x: 400 - at * 18,
      y: 700,
      font: 'vertical' as const,
    }));
    expect(await textOf({ texts })).toBe('縦書きの一行目\n二行目\n三行目');
  });

  it('is read upright on a rotated page, with text in other directions at the end', async () => {
    const turned = lines(['read on the', 'turned page'], { x: 100, y: 500, angle: 90 });
    const texts = turned.map((text, at) => ({ ...text, x: 300 + at * 14, y: 100 }));
    expect(await textOf({ texts, rotate: 90 })).toBe('read on the\nturned page');
    const aside = { text: 'at the side', x: 30, y: 300, angle: 90 };
    expect(await textOf({ texts: [aside, ...lines(['upright', 'lines'], { x: 72, y: 700 })] })).toBe(
      'upright\nlines\n\nat the side',
    );
  });

  it('omits text outside the page, and makes control characters unusable', async () => {
    const texts = [
      { text: 'inside', x: 72, y: 700 },
      { text: 'outside', x: 72, y: 2000 },
      { text: 'bell\u0007', x: 72, y: 680, font: 'any' as const },
    ];
    expect(await textOf({ texts })).toBe('inside\nbell\uFFFD');
  });

  it('is found if the font is not embedded and has only a predefined CMap', async () => {
    const texts = lines(['한국어 글꼴이 없는', '문서입니다'], { x: 72, y: 700, font: 'korean' });
    expect(await textOf({ texts })).toBe('한국어 글꼴이 없는\n문서입니다');
  });
});

describe('hyphens at line ends', () => {
  const soft = (texts: readonly string[]): Promise<string> =>
    textOf({ texts: lines(texts, { x: 72, y: 700, font: 'any' }) });

  it.each([
    ['join a word', ['the gover\u00AD', 'nor of the town'], 'the governor of the town'],
    ['join a word of another script', ['это прави\u00AD', 'тельство'], 'это правительство'],
    ['join several lines', ['a re\u00AD', 'mark\u00AD', 'able day'], 'a remarkable day'],
    ['stay visible inside a line', ['a well\u00ADknown man'], 'a well-known man'],
    ['stay visible before a number', ['pages 10\u00AD', '12 of it'], 'pages 10-\n12 of it'],
    ['stay visible at the end of the page', ['it goes on over\u00AD'], 'it goes on over-'],
  ])('that are soft %s', async (_, texts, expected) => {
    expect(await soft(texts)).toBe(expected);
  });

  it('that are soft do not join what a blank line separates', async () => {
    const texts = [
      ...lines(['first line', 'the gover\u00AD'], { x: 72, y: 700, font: 'any' }),
      ...lines(['another paragraph', 'goes on'], { x: 72, y: 600, font: 'any' }),
    ];
    expect(await textOf({ texts })).toBe('first line\nthe gover-\n\nanother paragraph\ngoes on');
  });

  it('that are soft join a word over two columns', async () => {
    const left = [...LEFT.slice(1), 'left line ends in the mid\u00AD'];
    const texts = [
      ...lines(left, { x: 60, y: 740, font: 'any' }),
      ...lines(['dle of a word, right line', ...RIGHT.slice(1)], { x: 320, y: 740, font: 'any' }),
    ];
    expect(await textOf({ texts })).toContain('left line ends in the middle of a word, right line');
  });
});

describe('spaced letters', () => {
  const drawn = (operators: string): Promise<string> => textOf({ operators });
  const body = 'BT /L 11 Tf 1 0 0 1 72 600 Tm (An ordinary line of a text follows.) Tj ET';
  const pitched = (word: string, pitch: number): string =>
    [...word].map((letter, at) => `BT /L 14 Tf 1 0 0 1 ${72 + at * pitch} 700 Tm (${letter}) Tj ET`).join('\n');

  it.each([
    ['by character spacing', 'BT /L 14 Tf 1 0 0 1 72 700 Tm 5 Tc (PREFACE) Tj 0 Tc ET', 'PREFACE'],
    [
      'by narrow character spacing',
      'BT /L 14 Tf 1 0 0 1 72 700 Tm 1.8 Tc (The Harbour Book) Tj ET',
      'The Harbour Book',
    ],
    ['by wide character spacing', 'BT /L 10 Tf 1 0 0 1 72 700 Tm 12 Tc (LEDGER OF) Tj ET', 'LEDGER OF'],
    ['by offsets', 'BT /L 14 Tf 1 0 0 1 72 700 Tm [(I) -320 (N) -320 (D) -320 (E) -320 (X)] TJ ET', 'INDEX'],
    [
      'by offsets, two words',
      'BT /L 14 Tf 1 0 0 1 72 700 Tm [(O) -160 (L) -160 (D) -550 (M) -160 (A) -160 (P) -160 (S)] TJ ET',
      'OLD MAPS',
    ],
    ['one by one at equal distances', pitched('GARDEN', 16), 'GARDEN'],
    ['one by one, two words', pitched('SEA ROAD', 16).replace('( )', '()'), 'SEA ROAD'],
    ['with a scaled width', 'BT /L 14 Tf 50 Tz 1 0 0 1 72 700 Tm 6 Tc (NOTES) Tj ET', 'NOTES'],
  ])('are a word if spaced %s', async (_, operators, expected) => {
    expect((await drawn(`${operators}\n${body}`)).split('\n')[0]).toBe(expected);
  });

  it.each([
    ['words with spaces between them', '(a b c d e f g) Tj', 'a b c d e f g'],
    ['single letters among words', '[(see) -300 (A) -300 (B) -300 (C) -300 (below)] TJ', 'see A B C below'],
    ['columns of letters', '[(A) -2000 (B) -2000 (C) -2000 (D) -2000 (E)] TJ', 'A B C D E'],
    ['numbers', '[(1) -300 (2) -300 (3) -300 (4) -300 (5)] TJ', '1 2 3 4 5'],
    ['a formula', '[(x) -300 (=) -300 (y) -300 (+) -300 (z)] TJ', 'x = y + z'],
  ])('stay apart: %s', async (_, operators, expected) => {
    const text = await drawn(`BT /L 12 Tf 1 0 0 1 72 700 Tm ${operators} ET\n${body}`);
    expect(text.split('\n')[0]).toBe(expected);
  });
});

describe('replacement text', () => {
  const drawn = (operators: string): Promise<string> => textOf({ operators });
  const shown = (text: string, x = 72, y = 700): string => `BT /L 12 Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET`;

  it.each([
    ['a literal string', '(walnut)', 'walnut'],
    ['UTF-16', '<FEFF03BB03CC03B303BF03C2>', 'λόγος'],
    ['UTF-8', '<EFBBBFC3A9636C6169720A>', 'éclair'],
    ['escapes', String.raw`(caf\351 \(old\))`, 'café (old)'],
  ])('given as %s wins over the glyphs', async (_, text, expected) => {
    expect(await drawn(`/Span <</ActualText ${text}>> BDC ${shown('qqzx')} EMC`)).toBe(expected);
  });

  it('replaces only its content, and stands where that was drawn', async () => {
    const middle = `/Span <</ActualText (second)>> BDC ${shown('zz', 100)} ${shown('yy', 112)} EMC`;
    expect(await drawn(`${shown('first')} ${middle} ${shown('third', 160)}`)).toBe('first second third');
  });

  it('of the outermost content wins', async () => {
    const inner = `/Span <</ActualText (inner)>> BDC ${shown('zz')} EMC`;
    const outer = `/Span <</MCID 0 /ActualText (outer)>> BDC ${inner} ${shown('yy', 90)} EMC ${shown('after', 72, 680)}`;
    expect(await drawn(`/P <</MCID 1>> BDC ${outer} EMC`)).toBe('outer\nafter');
  });

  it('that is empty hides what is drawn', async () => {
    expect(await drawn(`/Span <</ActualText ()>> BDC ${shown('zz')} EMC ${shown('after', 72, 680)}`)).toBe('after');
  });

  it('that is a soft hyphen joins the word that it cuts', async () => {
    const hyphen = `/Span <</ActualText <FEFF00AD>>> BDC ${shown('-', 100)} EMC`;
    expect(await drawn(`${shown('quarr')} ${hyphen} ${shown('ied stone', 72, 686)}`)).toBe('quarried stone');
  });
});

async function textOf(page: TestPage): Promise<string> {
  return (await extract(makePdf({ pages: [page] }))).text;
}
