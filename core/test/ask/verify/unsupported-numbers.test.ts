import { describe, expect, it } from 'vitest';
import { unsupportedNumbers } from '../../../src/ask/verify/unsupported-numbers.ts';

describe('unsupportedNumbers', () => {
  it.each<[string, string, readonly string[]]>([
    ['Built in 1889 [#1].', 'in 1889', []],
    ['Built in 1890 [#1].', 'in 1889', ['1890']],
    ['It cost 1,250 francs [#1].', 'it cost 1250', []],
    ['It cost 1250 francs [#1].', 'it cost 1,250', []],
    ["It cost 1'250.5 [#1].", '1250.5', []],
    ['It cost 12.5 [#1].', 'it cost 125', ['12.5']],
    ['On 5 January [#1].', '2024-01-05', []],
    ['Values 3,5 and 7 [#1].', 'values 3, 5 and 7', []],
    ['Values 3 and 5 [#1].', 'values 3,5', []],
    ['1. first\n2. second\n- 3) x', 'nothing', []],
    ['[#7] and [#99]', 'nothing', []],
    ['７ cups', '7 cups', []],
    ['H2O and 10th, 10%', 'H2O 10', []],
    ['5, 5 and 6', 'none', ['5', '6']],
    ['3만 5천 원', '3만', ['5']],
    ['literal [3] is a number', 'none', ['3']],
  ])('finds in %j, given %j, the unsupported %j', (answer, passage, expected) => {
    expect(unsupportedNumbers(answer, ['other text', passage])).toEqual(expected);
  });
});
