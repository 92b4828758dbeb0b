import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutAtLines,
  type HeadedRange,
  TextSizer,
  sentenceStarts,
  packSlices,
  type ChunkUnit,
  type PackLimits,
} from '../../src/chunking/cut-at-lines.ts';
import { estimateTokens, utf8Length } from '../../src/domain/text-size.ts';

function cut(text: string, maxTokens: number, range: Partial<HeadedRange> = {}): readonly string[] {
  const sized = { text, sizer: new TextSizer(text) };
  return cutAtLines(sized, { start: 0, end: text.length, ...range }, maxTokens).map(({ start, end }) =>
    text.slice(start, end),
  );
}

describe('cutAtLines', () => {
  it('cuts at line ends, into pieces as long as possible', () => {
    expect(cut('aaa\nbbb\nccc\nddd', 3)).toEqual(['aaa\nbbb', 'ccc\nddd']);
    expect(cut('aaaa\nbbbb\ncccc', 3)).toEqual(['aaaa\nbbbb', 'cccc']);
  });

  it('keeps the indentation of the first line of a piece, and trims blank lines', () => {
    expect(cut('aaaaaaa\n\n\n  bbb\n\nccccccc', 3)).toEqual(['aaaaaaa', '  bbb', 'ccccccc']);
  });

  it('cuts a line that is too long after white space, or else between characters', () => {
    expect(cut('one two three four', 4)).toEqual(['one two', 'three four']);
    expect(cut('가나다라마', 2)).toEqual(['가나', '다라', '마']);
    expect(cut('😀😀😀', 2)).toEqual(['😀', '😀', '😀']);
  });

  it('keeps headings together with some of their content', () => {
    expect(cut('# H\n\nlong words on one line', 5, { contentStart: 5 })).toEqual([
      '# H\n\nlong',
      'words on one',
      'line',
    ]);
  });

  it('loses no text, and never exceeds the maximum size', () => {
    const line = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('', '한글 문장', '😀'.repeat(9), '  x'));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.integer({ min: 2, max: 12 }), (lines, maxTokens) => {
        const text = lines.join('\n');
        const pieces = cut(text, maxTokens);
        expect(pieces.join('').replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
        for (const piece of pieces) expect(new TextSizer(piece).tokens(0, piece.length)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });
});

describe('TextSizer', () => {
  it('measures a range of a text by its UTF-8 bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        (before, middle, after) => {
          const sizer = new TextSizer(before + middle + after);
          const range = [before.length, before.length + middle.length] as const;
          expect(sizer.bytes(...range)).toBe(utf8Length(middle));
          expect(sizer.tokens(...range)).toBe(estimateTokens(middle));
        },
      ),
    );
  });

  it('finds the largest offset within a token budget', () => {
    expect(new TextSizer('abcdefgh').reach(1, 8, 2)).toBe(7);
    expect(new TextSizer('abcdefgh').reach(1, 5, 2)).toBe(5);
    expect(new TextSizer('가나다라').reach(0, 4, 2)).toBe(2);
  });
});

const sentences = (text: string): readonly string[] => {
  const bounds = [0, ...sentenceStarts(text, 0, text.length), text.length];
  return bounds.slice(1).map((end, at) => text.slice(bounds[at], end));
};

describe('sentenceStarts', () => {
  it.each([
    ['One. Two? Three! Four', ['One. ', 'Two? ', 'Three! ', 'Four']],
    ['He said "no." Then (he left.) So', ['He said "no." ', 'Then (he left.) ', 'So']],
    ['Version 3.5 of a.b.c is here', ['Version 3.5 of a.b.c is here']],
    ['첫 문장이다. 둘째다!\n셋째', ['첫 문장이다. ', '둘째다!\n', '셋째']],
    ['一つ目。二つ目？「三つ目。」四', ['一つ目。', '二つ目？', '「三つ目。」', '四']],
    ['The end. ', ['The end. ']],
  ])('splits %j into sentences', (text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  it('returns only offsets within the range', () => {
    expect(sentenceStarts('A. B. C. D.', 3, 9)).toEqual([6]);
  });
});

/** Packs units written one a line. `#` opens a section, no overlap begins at `!`, `=` is a heading before the words. */
function pack(lines: readonly string[], limits: PackLimits): readonly string[] {
  const text = lines.join('\n');
  let start = 0;
  const units = lines.map((line): ChunkUnit => {
    const heading = line.indexOf('=') + 1;
    const unit = {
      start,
      end: start + line.length,
      opens: line.startsWith('#'),
      contentStart: start + heading,
      anchor: !line.startsWith('!'),
      prose: true,
    };
    start = unit.end + 1;
    return unit;
  });
  return packSlices({ text, sizer: new TextSizer(text) }, units, limits).map((slice) =>
    text.slice(slice.start, slice.end),
  );
}

describe('packSlices', () => {
  it('joins units as long as a slice stays within the target', () => {
    expect(pack(['aaaa', 'bbbb', 'cccc', 'dddddddddddddddd', 'e'], { targetTokens: 3, overlapTokens: 0 })).toEqual([
      'aaaa\nbbbb',
      'cccc',
      'dddddddddddddddd',
      'e',
    ]);
  });

  it('begins a new slice at each section', () => {
    expect(pack(['a', '#b', 'c'], { targetTokens: 9, overlapTokens: 0 })).toEqual(['a', '#b\nc']);
  });

  it('overlaps by whole units, as many as fit', () => {
    expect(pack(['aaaa', 'bb', 'cc', 'dddd'], { targetTokens: 4, overlapTokens: 2 })).toEqual([
      'aaaa\nbb\ncc',
      'bb\ncc\ndddd',
    ]);
    expect(pack(['aaaa', 'bb', 'cc', 'dddd'], { targetTokens: 4, overlapTokens: 1 })).toEqual([
      'aaaa\nbb\ncc',
      'cc\ndddd',
    ]);
  });

  it('overlaps from a sentence start inside a unit', () => {
    expect(pack(['Long first. Bb.', 'cccc'], { targetTokens: 5, overlapTokens: 2 })).toEqual([
      'Long first. Bb.',
      'Bb.\ncccc',
    ]);
  });

  it('begins an overlap after the heading, never in another section, and never at a unit that is not an anchor', () => {
    expect(pack(['#h=a', 'bbbb'], { targetTokens: 2, overlapTokens: 2 })).toEqual(['#h=a', 'a\nbbbb']);
    expect(pack(['a', '#b'], { targetTokens: 9, overlapTokens: 9 })).toEqual(['a', '#b']);
    expect(pack(['aaaa', '!bb', 'cccc'], { targetTokens: 3, overlapTokens: 1 })).toEqual(['aaaa\n!bb', 'cccc']);
  });

  it('omits an overlap that would exceed the target', () => {
    expect(pack(['aaaa', 'bb', 'cccccccccc'], { targetTokens: 4, overlapTokens: 2 })).toEqual([
      'aaaa\nbb',
      'cccccccccc',
    ]);
  });
});
