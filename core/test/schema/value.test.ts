import { describe, expect, it } from 'vitest';
import { booleanOfText } from '../../src/schema/value.ts';

describe('booleanOfText', () => {
  it('recognises the four spellings of each value, in any letter case', () => {
    expect(['1', 'true', 'Yes', ' ON '].map(booleanOfText)).toEqual([true, true, true, true]);
    expect(['0', 'FALSE', 'no', 'off'].map(booleanOfText)).toEqual([false, false, false, false]);
  });

  it('rejects every other word', () => {
    expect(['', '2', 'y', 'enabled', 'constructor'].map(booleanOfText)).toEqual(Array(5).fill(undefined));
  });
});
