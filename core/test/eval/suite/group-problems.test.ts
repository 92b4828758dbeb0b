import { describe, expect, it } from 'vitest';
import { groupProblems, parseSuite } from '../../../src/eval/suite/parse-suite.ts';

const problemsOf = (...entries: readonly object[]): readonly string[] =>
  groupProblems(parseSuite(entries.map((entry, at) => ({ id: `q${at}`, query: 'any', ...entry }))).queries);

describe('the queries of a group', () => {
  it('may list the same expectations in another order, and phrase the query differently', () => {
    expect(
      problemsOf(
        { group: 'g', expected_doc_paths: ['a.md', 'b.md'], difficulty: 'easy' },
        { group: 'g', expected_doc_paths: ['b.md', 'a.md', 'b.md'], difficulty: 'hard', lang: 'ko', query: '다른' },
      ),
    ).toEqual([]);
  });

  it.each([
    [{ expected_doc_paths: ['b.md'] }],
    [{ expected_doc_ids: ['1'] }],
    [{ expected_chunk_ids: ['1'] }],
    [{ expected_uris: ['a.md#L1'] }],
    [{ must_contain: ['salt'] }],
    [{ forbidden: ['salt'] }],
    [{ answerable: false }],
  ])('may not differ in %j', (other) => {
    const base = { group: 'g' };
    expect(problemsOf(base, { ...base, ...other }, base)).toEqual([
      'q1: expects something else than q0 of the same group "g"',
    ]);
  });

  it('are independent of queries without a group, or in another one', () => {
    const expecting = { expected_doc_paths: ['a.md'] };
    expect(problemsOf({ group: 'g' }, { group: 'h', ...expecting }, expecting, {})).toEqual([]);
  });
});
