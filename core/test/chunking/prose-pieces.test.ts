import { describe, expect, it } from 'vitest';
import { prosePieces, paragraphsOf } from '../../src/chunking/prose-pieces.ts';
import { TextSizer } from '../../src/chunking/cut-at-lines.ts';

function pieces(
  text: string,
  targetTokens: number,
  itemStarts?: readonly number[],
): readonly (readonly [string, boolean])[] {
  const limits = { targetTokens, maxChunkTokens: 20, ...(itemStarts === undefined ? {} : { itemStarts }) };
  const sized = { text, sizer: new TextSizer(text) };
  return prosePieces(sized, { start: 0, end: text.length }, limits).map(({ start, end, anchor }) => [
    text.slice(start, end),
    anchor,
  ]);
}

describe('prosePieces', () => {
  it('splits at items, and keeps items within the target whole', () => {
    expect(pieces('- a. b\n- c\n- d', 3, [7, 11])).toEqual([
      ['- a. b', true],
      ['- c', true],
      ['- d', true],
    ]);
  });

  it('splits an item above the target at its sentences', () => {
    expect(pieces('First one. Second.', 4)).toEqual([
      ['First one.', true],
      ['Second.', true],
    ]);
  });

  it('packs the lines of a sentence above the target, and makes only the first piece an anchor', () => {
    expect(pieces('one\ntwo\nthree\nfour', 3)).toEqual([
      ['one\ntwo', true],
      ['three', false],
      ['four', false],
    ]);
  });

  it('cuts a line above the maximum size between characters', () => {
    expect(pieces('x'.repeat(130), 5).map(([text]) => text.length)).toEqual([60, 60, 10]);
  });
});

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
