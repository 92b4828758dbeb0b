import { describe, expect, it } from 'vitest';
import { entailmentPlaces } from '../src/entailment-places.ts';

describe('entailmentPlaces', () => {
  it('takes the order from the names, whatever it is', () => {
    expect(entailmentPlaces(['entailment', 'neutral', 'contradiction'])).toEqual({
      entailment: 0,
      neutral: 1,
      contradiction: 2,
    });
    expect(entailmentPlaces(['CONTRADICTION', 'ENTAILMENT', 'NEUTRAL'])).toEqual({
      entailment: 1,
      neutral: 2,
      contradiction: 0,
    });
  });

  it.each([
    [null],
    [[]],
    [['LABEL_0', 'LABEL_1', 'LABEL_2']],
    [['entailment', 'not_entailment']],
    [['entailment', 'entailment', 'neutral']],
    [['entailment', 'neutral', 'contradiction', 'other']],
  ])('does not guess what %j mean', (labels) => {
    expect(entailmentPlaces(labels)).toBeNull();
  });
});
