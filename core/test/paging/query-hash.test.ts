import { describe, expect, it } from 'vitest';
import type { DocumentId } from '../../src/domain/ids.ts';
import type { SearchFilters } from '../../src/domain/query.ts';
import { hashRanking, type RankingInput } from '../../src/paging/query-hash.ts';

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
