import { describe, expect, it } from 'vitest';
import { parseSubQueries } from '../../../src/ask/multi-hop/hop-prompts.ts';

describe('parseSubQueries', () => {
  it.each<[string, readonly string[] | null]>([
    ['["a", "b"]', ['a', 'b']],
    ['```json\n["a"]\n```', ['a']],
    ['Sure! Here [they] are: ["a", "b"]. Anything [else]?', ['a', 'b']],
    ['[]', []],
    ['["a", 1, null, "", "  ", "a", ["x"]]', ['a']],
    ['["\\"exact\\" -not"]', ['exact not']],
    ['{"queries": ["a"]}', ['a']],
    ['', null],
    ['no list', null],
    ['["a", ', null],
    ['[a, b]', null],
  ])('reads %j as %j', (text, expected) => {
    expect(parseSubQueries(text)).toEqual(expected);
  });

  it('gives up on endless brackets, and cuts endless queries', () => {
    expect(parseSubQueries('['.repeat(100_000))).toBeNull();
    expect(parseSubQueries(JSON.stringify(['x'.repeat(10_000)]))?.[0]).toHaveLength(500);
  });
});
