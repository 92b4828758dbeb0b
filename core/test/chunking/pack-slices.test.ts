import { describe, expect, it } from 'vitest';
import { packSlices, type ChunkUnit, type PackLimits } from '../../src/chunking/pack-slices.ts';
import { TextSizer } from '../../src/chunking/cut-at-lines.ts';

/** Packs units written one a line; `#` opens a section, `!` cannot be begun at, `=` is a heading before the words. */
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
  it('joins units while a slice stays within the target', () => {
    expect(pack(['aaaa', 'bbbb', 'cccc', 'dddddddddddddddd', 'e'], { targetTokens: 3, overlapTokens: 0 })).toEqual([
      'aaaa\nbbbb',
      'cccc',
      'dddddddddddddddd',
      'e',
    ]);
  });

  it('begins a slice where a section opens', () => {
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

  it('begins an overlap behind the heading, and does not overlap across sections, or from a unit that cannot be begun at', () => {
    expect(pack(['#h=a', 'bbbb'], { targetTokens: 2, overlapTokens: 2 })).toEqual(['#h=a', 'a\nbbbb']);
    expect(pack(['a', '#b'], { targetTokens: 9, overlapTokens: 9 })).toEqual(['a', '#b']);
    expect(pack(['aaaa', '!bb', 'cccc'], { targetTokens: 3, overlapTokens: 1 })).toEqual(['aaaa\n!bb', 'cccc']);
  });

  it('gives the overlap up where it would break the target', () => {
    expect(pack(['aaaa', 'bb', 'cccccccccc'], { targetTokens: 4, overlapTokens: 2 })).toEqual([
      'aaaa\nbb',
      'cccccccccc',
    ]);
  });
});
