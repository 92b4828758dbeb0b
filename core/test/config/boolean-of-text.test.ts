import { describe, expect, it } from 'vitest';
import { booleanOfText } from '../../src/config/boolean-of-text.ts';

describe('booleanOfText', () => {
  it('knows the four spellings of either, in any letter case', () => {
    expect(['1', 'true', 'Yes', ' ON '].map(booleanOfText)).toEqual([true, true, true, true]);
    expect(['0', 'FALSE', 'no', 'off'].map(booleanOfText)).toEqual([false, false, false, false]);
  });

  it('reads no other word as true or false', () => {
    expect(['', '2', 'y', 'enabled', 'constructor'].map(booleanOfText)).toEqual(Array(5).fill(undefined));
  });
});
