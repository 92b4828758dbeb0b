import { describe, expect, it } from 'vitest';
import { splitClaims } from '../../../src/ask/verify/split-claims.ts';

type Claim = readonly [text: string, markers: readonly number[]];

describe('splitClaims', () => {
  it.each<[string, readonly Claim[]]>([
    [
      'One [#1]. Two [#2][#3].',
      [
        ['One.', [1]],
        ['Two.', [2, 3]],
      ],
    ],
    [
      'One. [#1] Two. [#2]',
      [
        ['One.', [1]],
        ['Two.', [2]],
      ],
    ],
    ['One [#1] and two [#2].', [['One and two.', [1, 2]]]],
    [
      'He said "Stop." [#1] Then he left.',
      [
        ['He said "Stop."', [1]],
        ['Then he left.', []],
      ],
    ],
    ['In the U.S. Army, e.g. by Dr. Smith [#1].', [['In the U.S. Army, e.g. by Dr. Smith.', [1]]]],
    ['Version 1.2 is out [#1].', [['Version 1.2 is out.', [1]]]],
    [
      '- one [#1]\n- two [#2]\n\n3. three',
      [
        ['one', [1]],
        ['two', [2]],
        ['three', []],
      ],
    ],
    [
      '이것은 답이다 [#1]. 저것도 답이다 [#2].',
      [
        ['이것은 답이다.', [1]],
        ['저것도 답이다.', [2]],
      ],
    ],
    [
      'これは答えです[#1]。あれもです。[#2]',
      [
        ['これは答えです。', [1]],
        ['あれもです。', [2]],
      ],
    ],
    [
      'Really?! [#1] Yes [#9].',
      [
        ['Really?!', [1]],
        ['Yes.', []],
      ],
    ],
    [
      'It says "One. Two." [#1] Three [#2].',
      [
        ['It says "One. Two."', [1]],
        ['Three.', [2]],
      ],
    ],
    [
      'It says "One." [#1]. Two [#2].',
      [
        ['It says "One.".', [1]],
        ['Two.', [2]],
      ],
    ],
    ['It says “One. Two” [#1].', [['It says “One. Two”.', [1]]]],
    [
      'A 5" pipe. A 6 m pipe [#1].',
      [
        ['A 5" pipe.', []],
        ['A 6 m pipe.', [1]],
      ],
    ],
    ['', []],
    ['[#1]', []],
  ])('splits %j', (text, expected) => {
    const claims = splitClaims(text, 3).map(({ text: claim, markers }) => [claim, markers.map(({ number }) => number)]);
    expect(claims).toEqual(expected);
  });
});
