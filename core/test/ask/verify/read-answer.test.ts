import { describe, expect, it } from 'vitest';
import { readCitations } from '../../../src/ask/verify/read-answer.ts';

describe('readCitations', () => {
  it.each<[string, readonly (readonly number[])[]]>([
    ['One [1] and two [#2].', [[1], [2]]],
    ['One [1][2], two [1, 3], three [1-3], four [#1, #2].', [[1], [2], [1, 3], [1, 2, 3], [1, 2]]],
    ['One [^1], two【2】, three [passage 3], four [출처 1].', [[1], [2], [3], [1]]],
    ['One 【2†source】.', [[2]]],
    ['One [[1]].', [[1]]],
    ['One (1). Two (1, 2).', [[1], [1, 2]]],
    ['One. (1) Two. (2)', [[1], [2]]],
    ['Do this: (1) first, (2) second.', []],
    ['(1) first\n(2) second', []],
    ['It was built (2019).', []],
    ['One [1], in group (2).', [[1]]],
    ['One.¹ Two²,³', [[1], [2, 3]]],
    ['5 m² and 7 km³', []],
    ['One [9] of five, since [2019].', [[9]]],
    ['`list[0]` and\n```\nx = y[1]\n```', []],
    ['See [the docs](https://x.y).', []],
    ['[^1]: notes/a.md', []],
  ])('parses %j as %j', (text, expected) => {
    expect(readCitations(text, 5).map(({ numbers }) => numbers)).toEqual(expected);
  });
});
