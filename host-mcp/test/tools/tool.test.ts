import { describe, expect, it } from 'vitest';
import { BULK_SEARCH, LIST_DOCS, SEARCH } from '@kebab/core/app';
import { lenientArguments } from '../../src/tools/tool.ts';

describe('arguments as models write them', () => {
  it.each([
    [
      { query: 'tea', k: '3' },
      { query: 'tea', k: 3 },
    ],
    [
      { query: 'tea', k: ' 3 ' },
      { query: 'tea', k: 3 },
    ],
    [
      { query: 'tea', k: '3.0' },
      { query: 'tea', k: 3 },
    ],
    [
      { query: 'tea', explain: 'TRUE' },
      { query: 'tea', explain: true },
    ],
    [
      { query: 'tea', explain: ' false' },
      { query: 'tea', explain: false },
    ],
    [
      { query: 'tea', mode: 'Lexical ' },
      { query: 'tea', mode: 'lexical' },
    ],
    [
      { query: 'tea', tag: 'work' },
      { query: 'tea', tag: ['work'] },
    ],
    [
      { query: 'tea', tag: '["work", "home"]' },
      { query: 'tea', tag: ['work', 'home'] },
    ],
    [
      { query: 'tea', path_glob: '[ab]/*.md' },
      { query: 'tea', path_glob: ['[ab]/*.md'] },
    ],
    [{ query: 'tea', path_glob: null, since: '', k: null }, { query: 'tea' }],
    [{ query: '42' }, { query: '42' }],
    [{ query: 'true' }, { query: 'true' }],
  ])('%j is read as %j', (args, read) => {
    expect(lenientArguments(args, SEARCH)).toEqual(read);
  });

  it.each([
    [{ queries: '["tea", "coffee"]' }, { queries: ['tea', 'coffee'] }],
    [{ queries: '[{"query": "tea", "k": "2"}]' }, { queries: [{ query: 'tea', k: 2 }] }],
    [{ queries: { query: 'tea', tag: 'work' } }, { queries: [{ query: 'tea', tag: ['work'] }] }],
    [{ queries: '{"query": "tea"}' }, { queries: [{ query: 'tea' }] }],
    [{ queries: 'tea' }, { queries: ['tea'] }],
  ])('%j is read as %j', (args, read) => {
    expect(lenientArguments(args, BULK_SEARCH)).toEqual(read);
  });

  it.each([
    { query: 'tea', k: 'three' },
    { query: 'tea', k: '0x' },
    { query: 'tea', explain: 'maybe' },
    { query: 'tea', mode: 'lexicl' },
    { query: null },
    { query: '' },
    { query: 5 },
    { query: 'tea', colour: null },
  ])('%j is left for the check of the request, which refuses it', (args) => {
    const read = lenientArguments(args, SEARCH);
    if (args.query !== null) expect(read).toEqual(args);
    else expect(read).toEqual({});
  });

  it('a limit of a list is a number as well', () => {
    expect(lenientArguments({ limit: '2' }, LIST_DOCS)).toEqual({ limit: 2 });
  });
});
