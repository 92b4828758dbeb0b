import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKebabError } from '../../src/errors/kebab-error.ts';
import {
  decodeCursor,
  encodeCursor,
  requireStages,
  type CursorState,
  type Stage,
  hashRanking,
  type RankingInput,
  countThatFits,
} from '../../src/paging/cursor.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import type { SearchFilters } from '../../src/domain/query.ts';

const state: CursorState = { offset: 20, corpusRevision: 7, queryHash: '0123456789abcdef', stages: ['lexical'] };
const context = { corpusRevision: 7, queryHash: '0123456789abcdef' };
const stages: readonly Stage[] = ['lexical', 'vector', 'retriever:grep@0123abcd', 'rerank'];
const base64 = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString('base64url');
const wire = { v: 1, offset: 20, corpus_revision: 7, query_hash: '0123456789abcdef', stages: ['lexical'] };

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return isKebabError(error) ? error.code : 'not ours';
  }
  return 'none';
};

describe('encodeCursor and decodeCursor', () => {
  it('are inverse, in the alphabet of base64url without padding', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.subarray([...stages]), (offset, corpusRevision, some) => {
        const cursor = encodeCursor({ ...state, offset, corpusRevision, stages: some });
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor, { ...context, corpusRevision })).toEqual({
          ...state,
          offset,
          corpusRevision,
          stages: some,
        });
      }),
    );
  });

  it('carries v, offset, corpus_revision, query_hash and stages', () => {
    expect(JSON.parse(Buffer.from(encodeCursor(state), 'base64url').toString())).toEqual(wire);
  });

  it('rejects the cursor of another revision as stale', () => {
    const run = (): unknown => decodeCursor(encodeCursor(state), { ...context, corpusRevision: 8 });
    expect(run).toThrow(expect.objectContaining({ details: { reason: 'revision', expected: '8', found: '7' } }));
    expect(codeOf(run)).toBe('stale_cursor');
  });

  it('rejects the cursor of another query as invalid, whatever its revision', () => {
    const other = { queryHash: 'fedcba9876543210', corpusRevision: 8 };
    expect(codeOf(() => decodeCursor(encodeCursor(state), other))).toBe('invalid_input');
  });

  it.each([
    ['nothing', ''],
    ['words', 'not a cursor'],
    ['padding', `${encodeCursor(state)}=`],
    ['base64 of invalid JSON', Buffer.from('{"v":1').toString('base64url')],
    ['a number', base64(1)],
    ['null', base64(null)],
    ['a list', base64([wire])],
    ['another version', base64({ ...wire, v: 2 })],
    ['a negative offset', base64({ ...wire, offset: -1 })],
    ['an offset that is not a number', base64({ ...wire, offset: '20' })],
    ['an offset beyond safe integers', base64({ ...wire, offset: 2 ** 53 })],
    ['a fractional revision', base64({ ...wire, corpus_revision: 1.5 })],
    ['a short hash', base64({ ...wire, query_hash: 'abc' })],
    ['an unknown stage', base64({ ...wire, stages: ['oracle'] })],
    ['stages without a list', base64({ ...wire, stages: 'lexical' })],
    ['a hundred stages', base64({ ...wire, stages: Array.from({ length: 100 }, () => 'lexical') })],
    ['a megabyte', 'A'.repeat(1_000_000)],
    ['a prototype', base64({ ...wire, __proto__: { offset: 3 }, offset: undefined })],
  ])('rejects %s as invalid', (_, cursor) => {
    expect(codeOf(() => decodeCursor(cursor, context))).toBe('invalid_input');
  });

  it('throws nothing but its own errors at any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.base64String(),
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
        ),
        (text) => {
          expect(codeOf(() => decodeCursor(text, context))).toBe('invalid_input');
        },
      ),
    );
  });
});

describe('requireStages', () => {
  it('accepts a list whose stages are all available', () => {
    expect(codeOf(() => requireStages(state, ['lexical', 'vector']))).toBe('none');
  });

  it('rejects a list that needs an unavailable stage', () => {
    const run = (): void => requireStages({ ...state, stages: ['lexical', 'vector'] }, ['lexical']);
    expect(run).toThrow(expect.objectContaining({ code: 'stale_cursor' }));
    expect(run).toThrow(
      expect.objectContaining({ details: { reason: 'stages', expected: 'lexical', found: 'lexical+vector' } }),
    );
  });
});

const input: RankingInput = { list: 'search', text: 'words', mode: 'lexical', filters: {}, settings: { rrfK: 60 } };
const withFilters = (filters: SearchFilters): string => hashRanking({ ...input, filters });

describe('hashRanking', () => {
  it('hashes a query to 16 hex digits', () => {
    expect(hashRanking(input)).toMatch(/^[0-9a-f]{16}$/);
  });

  it('does not depend on the order of filters, of their values, or on repetition', () => {
    expect(withFilters({ tag: ['a', 'b'], lang: ['en'] })).toBe(withFilters({ lang: ['en'], tag: ['b', 'a', 'b'] }));
  });

  it.each<Partial<RankingInput>>([
    { list: 'documents' },
    { text: 'word' },
    { mode: 'hybrid' },
    { settings: { rrfK: 61 } },
    { filters: { tag: ['a'] } },
    { filters: { tag: ['b'] } },
    { filters: { lang: ['a'] } },
    { filters: { ingestedAfter: new Date(0) } },
    { filters: { ingestedAfter: new Date(1) } },
    { filters: { since: new Date(0) } },
    { filters: { within: { since: new Date(0) } } },
    { filters: { within: { since: new Date(1) } } },
    { filters: { trustMin: 'primary' } },
    { filters: { docId: ['a' as DocumentId] } },
  ])('differs for %j', (change) => {
    expect(hashRanking({ ...input, ...change })).not.toBe(hashRanking(input));
  });
});

describe('countThatFits', () => {
  it.each([
    { sizes: [], budget: 0, count: 0 },
    { sizes: [50], budget: 0, count: 1 },
    { sizes: [10, 10, 10], budget: 42, count: 3 },
    { sizes: [10, 10, 10], budget: 41, count: 2 },
    { sizes: [10, 10, 10], budget: 31, count: 2 },
    { sizes: [10, 10, 10], budget: 30, count: 1 },
  ])('fits $count of $sizes into $budget with 10 around them', ({ sizes, budget, count }) => {
    expect(countThatFits({ sizes, budget, sizeAround: () => 10 })).toBe(count);
  });

  it('measures the response around exactly the counted items', () => {
    const sizeAround = (count: number): number => (count === 3 ? 1000 : 0);
    expect(countThatFits({ sizes: [1, 1, 1], budget: 100, sizeAround })).toBe(2);
  });
});
