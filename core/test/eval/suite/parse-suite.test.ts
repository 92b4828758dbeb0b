import { describe, expect, it } from 'vitest';
import { parseSuite } from '../../../src/eval/suite/parse-suite.ts';

const problemsOf = (content: unknown): readonly string[] => parseSuite(content).problems;

describe('a golden suite', () => {
  it('has defaults for everything but id and query', () => {
    expect(parseSuite([{ id: 'a', query: 'salt', group: null, expected_uris: null }])).toEqual({
      queries: [
        {
          id: 'a',
          query: 'salt',
          lang: null,
          expected_doc_ids: [],
          expected_doc_paths: [],
          expected_chunk_ids: [],
          expected_uris: [],
          must_contain: [],
          forbidden: [],
          answerable: true,
          difficulty: null,
          group: null,
        },
      ],
      problems: [],
    });
  });

  it('parses every member', () => {
    const entry = {
      id: 'a',
      query: '소금',
      lang: 'ko',
      expected_doc_ids: ['1'],
      expected_doc_paths: ['a.md'],
      expected_chunk_ids: ['2'],
      expected_uris: ['a.md#L1'],
      must_contain: ['salt'],
      forbidden: ['sugar'],
      answerable: false,
      difficulty: 'hard',
      group: 'g',
    };
    expect(parseSuite([entry]).queries).toEqual([
      {
        id: 'a',
        query: '소금',
        lang: 'ko',
        expected_doc_ids: ['1'],
        expected_doc_paths: ['a.md'],
        expected_chunk_ids: ['2'],
        expected_uris: ['a.md#L1'],
        must_contain: ['salt'],
        forbidden: ['sugar'],
        answerable: false,
        difficulty: 'hard',
        group: 'g',
      },
    ]);
  });

  it.each([
    ['no list', { id: 'a' }, ['a golden suite is a list of queries']],
    ['nothing', null, ['a golden suite is a list of queries']],
    ['an empty list', [], ['the suite holds no query']],
    ['a text', ['salt'], ['entry 1: is not a mapping with id and query']],
    ['a list in a list', [[{ id: 'a', query: 'b' }]], ['entry 1: is not a mapping with id and query']],
    ['an entry without a query', [{ id: 'a' }], ['a: query is missing']],
    ['an entry without anything', [{}], ['entry 1: id is missing', 'entry 1: query is missing']],
    ['a blank query', [{ id: 'a', query: ' \n' }], ['a: query is missing']],
    ['a number as id', [{ id: 7, query: 'b' }], ['entry 1: id is not text; put it in quotes']],
    [
      'a text instead of a list',
      [{ id: 'a', query: 'b', must_contain: 'c' }],
      ['a: must_contain is not a list of texts; put each in quotes'],
    ],
    [
      'a number in a list',
      [{ id: 'a', query: 'b', must_contain: [1610] }],
      ['a: must_contain is not a list of texts; put each in quotes'],
    ],
    [
      'an empty text in a list',
      [{ id: 'a', query: 'b', forbidden: [''] }],
      ['a: forbidden is not a list of texts; put each in quotes'],
    ],
    [
      'a text instead of a boolean',
      [{ id: 'a', query: 'b', answerable: 'no' }],
      ['a: answerable is neither true nor false'],
    ],
    ['a date as group', [{ id: 'a', query: 'b', group: new Date(0) }], ['a: group is not text; put it in quotes']],
    [
      'an unknown key',
      [{ id: 'a', query: 'b', expected_uri: [] }],
      ['a: unknown key "expected_uri"; did you mean expected_uris?'],
    ],
    ['a key without a near match', [{ id: 'a', query: 'b', zzzzzzzz: 1 }], ['a: unknown key "zzzzzzzz"']],
  ])('is rejected: %s', (_, content, problems) => {
    expect(problemsOf(content)).toEqual(problems);
  });

  it('is rejected when it uses an id twice', () => {
    const entry = (id: string): object => ({ id, query: 'b' });
    expect(problemsOf([entry('a'), entry('b'), entry('a'), entry('a')])).toEqual(['a: the id occurs more than once']);
  });

  it('drops entries with a mistake, and keeps the others', () => {
    const { queries } = parseSuite([{ id: 'a', query: 'salt' }, { id: 'b' }, 5]);
    expect(queries.map(({ id }) => id)).toEqual(['a']);
  });
});
