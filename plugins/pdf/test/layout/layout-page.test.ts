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

  it('includes superscripts in their line', async () => {
    const texts = [
      { text: 'Somebody', x: 72, y: 700, size: 10, font: 'any' as const },
      { text: '2', x: 112, y: 704, size: 7, font: 'any' as const },
      { text: 'below', x: 72, y: 688, size: 10, font: 'any' as const },
    ];
    expect(await textOf({ texts })).toBe('Somebody2\nbelow');
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

async function textOf(page: TestPage): Promise<string> {
  return (await extract(makePdf({ pages: [page] }))).text;
}
