import { describe, expect, it } from 'vitest';
import { sentenceStarts } from '../../src/chunking/sentence-starts.ts';

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
  ])('divides %j', (text, expected) => {
    expect(sentences(text)).toEqual(expected);
  });

  it('looks only inside the range', () => {
    expect(sentenceStarts('A. B. C. D.', 3, 9)).toEqual([6]);
  });
});
