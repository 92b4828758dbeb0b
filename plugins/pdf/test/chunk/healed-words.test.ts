import { describe, expect, it } from 'vitest';
import { healedWords } from '../../src/chunk/healed-words.ts';

describe('healedWords', () => {
  it('puts together what a hyphen parts at a line end', () => {
    expect(healedWords('The infor-\nmation of a straight-for\u2010\nward Über\u00AD\nlagerung')).toEqual([
      'information',
      'forward',
      'Überlagerung',
    ]);
  });

  it('leaves hyphens that belong to the word', () => {
    expect(healedWords('Gauß-\nBonnet, well-known\nthings - \nlike this')).toEqual([]);
  });

  it('puts together what a line end parts without a hyphen', () => {
    expect(healedWords('은 사\n람이 쓰거나\n기계로\nprinted')).toEqual(['사람이', '쓰거나기계로']);
    expect(healedWords('わたく\nしは')).toEqual(['わたくしは']);
  });

  it('gives each word once, in order', () => {
    expect(healedWords('b-\nc a-\nb b-\nc')).toEqual(['bc', 'ab']);
  });
});
