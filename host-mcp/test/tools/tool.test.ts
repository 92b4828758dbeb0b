import { describe, expect, it } from 'vitest';
import { BULK_SEARCH, LIST_DOCS, SEARCH } from '@kebab/core/app';
import { lenientArguments } from '../../src/tools/tool.ts';

describe('arguments as models write them', () => {
  it.each([
    [{ k: '3' }, { k: 3 }],
    [{ k: ' 3 ' }, { k: 3 }],
    [{ k: '3.0' }, { k: 3 }],
    [{ explain: 'TRUE' }, { explain: true }],
    [{ explain: ' false' }, { explain: false }],
    [{ mode: 'Lexical ' }, { mode: 'lexical' }],
    [{ tag: 'work' }, { tag: ['work'] }],
    [{ tag: '["work", "home"]' }, { tag: ['work', 'home'] }],
    [{ path_glob: '[ab]/*.md' }, { path_glob: ['[ab]/*.md'] }],
    [{ q: 'tea' }, { query: 'tea' }],
    [{ top_k: '3' }, { k: 3 }],
    [{ glob: '*.md' }, { path_glob: ['*.md'] }],
    [{ tags: 'work' }, { tag: ['work'] }],
    [{ limit: null }, {}],
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
    { query: 'tea', q: 'coffee' },
    { glob: '*.md', path: 'notes' },
    { pattern: 'tea' },
  ])('%j is left for the check of the request, which refuses it', (args) => {
    const read = lenientArguments(args, SEARCH);
    if (args.query !== null) expect(read).toEqual(args);
    else expect(read).toEqual({});
  });

  it('a limit of a list is a number as well', () => {
    expect(lenientArguments({ limit: '2' }, LIST_DOCS)).toEqual({ limit: 2 });
  });
});
