import { describe, expect, it } from 'vitest';
import { paragraphsOf } from '../../src/chunking/paragraphs.ts';

describe('paragraphsOf', () => {
  it.each([
    ['', []],
    [' \n\t\n\u3000\n', []],
    ['a', [['a', 1, 1]]],
    [
      '\na\nb \n \n\n  c\n',
      [
        ['a\nb ', 2, 3],
        ['  c', 6, 6],
      ],
    ],
    ['\u00A0x\n\0\n', [['\u00A0x\n\0', 1, 2]]],
  ])('finds the runs of lines in %j', (text, expected) => {
    expect(
      paragraphsOf(text).map(({ start, end, firstLine, lastLine }) => [text.slice(start, end), firstLine, lastLine]),
    ).toEqual(expected);
  });
});
