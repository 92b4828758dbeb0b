import { describe, expect, it } from 'vitest';
import { labelNames } from '../../src/folder/label-names.ts';

describe('labelNames', () => {
  it('gives the names in the order of their numbers, not of the file', () => {
    expect(labelNames({ '2': 'contradiction', '0': 'entailment', '1': 'neutral' })).toEqual([
      'entailment',
      'neutral',
      'contradiction',
    ]);
    expect(labelNames({ '0': 'LABEL_0' })).toEqual(['LABEL_0']);
  });

  it.each([undefined, null, 'entailment', {}, { '1': 'no first' }, { '0': 'a', '2': 'b' }, { '0': 1 }, { a: 'a' }])(
    'gives nothing for what does not name each answer: %j',
    (id2label) => {
      expect(labelNames(id2label)).toBeNull();
    },
  );
});
