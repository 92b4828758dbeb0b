import { describe, expect, it } from 'vitest';
import { porterStem } from '../../src/relevance/porter-stem.ts';

describe('porterStem', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['ties', 'ti'],
    ['caress', 'caress'],
    ['cats', 'cat'],
    ['feed', 'feed'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['sing', 'sing'],
    ['conflated', 'conflat'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['hissing', 'hiss'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['sky', 'sky'],
    ['relational', 'relat'],
    ['generalizations', 'gener'],
    ['electricity', 'electr'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
    ['controlling', 'control'],
    ['rate', 'rate'],
    ['cease', 'ceas'],
    ['is', 'is'],
    ['e5', 'e5'],
    ['스템', '스템'],
  ])('stems %s to %s', (word, stem) => {
    expect(porterStem(word)).toBe(stem);
  });
});
