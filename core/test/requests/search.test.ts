import { describe, expect, it } from 'vitest';
import { isKebabError, type KebabError } from '../../src/errors/kebab-error.ts';
import type { Mode } from '../../src/domain/query.ts';
import { checkSearch, parseSearchRequest, type SearchOptions, type SearchQuery } from '../../src/requests/search.ts';
import { parseFilters, resolveFilterDates } from '../../src/requests/filters.ts';

const refusal = (request: unknown): KebabError<'invalid_input'>['details'] => {
  try {
    parseSearchRequest(request);
  } catch (error) {
    if (isKebabError(error, 'invalid_input')) return error.details;
    throw error;
  }
  throw new Error('it was accepted');
};

const id = '0123456789abcdef0123456789abcdef';

describe('parseSearchRequest', () => {
  it('reads every key of a search request', () => {
    expect(
      parseSearchRequest({
        query: 'words',
        mode: 'lexical',
        k: 5,
        max_tokens: 100,
        snippet_chars: 80,
        cursor: 'abc',
        explain: true,
        tag: ['a'],
        lang: ['en', 'ko'],
        path_glob: ['notes/**'],
        trust_min: 'secondary',
        media: ['md', 'txt', 'pdf'],
        ingested_after: '2026-03-01T09:00:00+09:00',
        doc_id: [id.toUpperCase()],
        repo: ['kebab'],
        code_lang: ['rust'],
        source: ['default'],
        source_type: ['note'],
      }),
    ).toEqual({
      query: {
        text: 'words',
        mode: 'lexical',
        k: 5,
        filters: {
          tag: ['a'],
          lang: ['en', 'ko'],
          pathGlob: ['notes/**'],
          trustMin: 'secondary',
          media: ['markdown', 'text', 'pdf'],
          ingestedAfter: new Date('2026-03-01T00:00:00Z'),
          docId: [id],
          repo: ['kebab'],
          codeLang: ['rust'],
          source: ['default'],
          sourceType: ['note'],
        },
      },
      options: { maxTokens: 100, snippetChars: 80, cursor: 'abc', explain: true },
    });
  });

  it('accepts a query alone, and an empty list for no filter', () => {
    expect(parseSearchRequest({ query: 'words', tag: [] })).toEqual({
      query: { text: 'words', filters: {} },
      options: {},
    });
  });

  it.each([
    ['qery', 'query'],
    ['path-glob', 'path_glob'],
    ['max_token', 'max_tokens'],
    ['zzz', null],
  ])('rejects the key %s and names %s', (key, suggestion) => {
    expect(refusal({ query: 'words', [key]: 1 })).toMatchObject({ field: key, suggestion });
  });

  it.each([
    [
      { query: 'w', media: ['markdwon'] },
      { field: 'media', value: 'markdwon', suggestion: 'markdown' },
    ],
    [
      { query: 'w', media: ['constructor'] },
      { field: 'media', value: 'constructor', suggestion: null },
    ],
    [
      { query: 'w', trust_min: 'primry' },
      { field: 'trust_min', suggestion: 'primary' },
    ],
    [
      { query: 'w', path_glob: ['notes/**', 'a'.repeat(1001)] },
      { field: 'path_glob', value: `${'a'.repeat(100)}…` },
    ],
    [
      { query: 'w', path_glob: Array.from({ length: 11 }, () => '{,}'.repeat(333)) },
      { field: 'path_glob', value: null },
    ],
    [
      { query: 'w', source_type: ['memo'] },
      { field: 'source_type', value: 'memo' },
    ],
    [
      { query: 'w', doc_id: ['xyz'] },
      { field: 'doc_id', value: 'xyz' },
    ],
    [
      { query: 'w', ingested_after: '2026-02-30T00:00:00Z' },
      { field: 'ingested_after', value: '2026-02-30T00:00:00Z' },
    ],
    [
      { query: 'w', since: 'last tuesday' },
      { field: 'since', value: 'last tuesday' },
    ],
    [{ query: 'w', tag: ['#'] }, { field: 'tag' }],
    [{ query: 'w', tag: [''] }, { field: 'tag' }],
    ['words', { field: null }],
    [null, { field: null }],
    [[{ query: 'w' }], { field: null }],
  ])('rejects %j', (request, details) => {
    expect(refusal(request)).toMatchObject(details);
  });
});

describe('times and tags of filters', () => {
  const filtersOf = (request: object) =>
    resolveFilterDates(parseFilters({ ...request }), new Date(2026, 2, 15, 12, 30));

  it.each([
    [{ since: '2026-01-02' }, { since: new Date(2026, 0, 2) }],
    [{ until: '2026-01-02' }, { until: new Date(2026, 0, 3) }],
    [
      { since: '2026', until: '2026-02' },
      { since: new Date(2026, 0, 1), until: new Date(2026, 2, 1) },
    ],
    [{ since: '2w' }, { since: new Date(2026, 2, 1) }],
    [{ until: 'yesterday' }, { until: new Date(2026, 2, 15) }],
    [{ ingested_after: '2024-01-01' }, { ingestedAfter: new Date(2024, 0, 1) }],
    [{ ingested_after: '3d' }, { ingestedAfter: new Date(2026, 2, 12) }],
    [{ since: '2026-01-02T10:00:00+09:00' }, { since: new Date('2026-01-02T01:00:00Z') }],
    [{ tag: ['#planning', 'work/'] }, { tag: ['planning', 'work'] }],
  ])('%j resolves to %j at noon of 15 March 2026', (request, filters) => expect(filtersOf(request)).toEqual(filters));
});

it('a filter takes at most 1000 values, in a search, in a line of a bulk search and in a list of documents', () => {
  const tag = Array.from({ length: 1001 }, (_, at) => `tag${at}`);
  const refused: unknown = expect.objectContaining({
    code: 'invalid_input',
    message: 'tag must be a list of at most 1000 values, not of 1001',
    details: expect.objectContaining({ field: 'tag' }) as unknown,
  });
  expect(() => parseSearchRequest({ query: 'words', tag })).toThrow(refused);
  expect(() => parseFilters({ tag })).toThrow(refused);
  expect(parseFilters({ tag: tag.slice(1) }).tag).toHaveLength(1000);
});

const defaults = { defaultK: 10, snippetChars: 220 };

describe('checkSearch', () => {
  it('fills in defaults', () => {
    expect(checkSearch({ text: 'words' }, {}, defaults)).toEqual({
      text: 'words',
      mode: 'hybrid',
      k: 10,
      filters: {},
      maxTokens: null,
      minRelevance: null,
      snippetChars: 220,
      minScore: null,
      cursor: null,
      offset: 0,
      perDocument: 3,
      sort: 'score',
      literal: false,
      explain: false,
      expect: null,
      cache: true,
    });
  });

  it('lets a call request longer and shorter snippets than configured', () => {
    expect(checkSearch({ text: 'w' }, { snippetChars: 60 }, defaults).snippetChars).toBe(60);
    expect(checkSearch({ text: 'w' }, { snippetChars: 5000 }, defaults).snippetChars).toBe(5000);
  });

  it.each<[SearchQuery, SearchOptions, string]>([
    [{ text: '' }, {}, 'query'],
    [{ text: ' \t\n\u3000' }, {}, 'query'],
    [{ text: 'w', k: 0 }, {}, 'k'],
    [{ text: 'w', k: 101 }, {}, 'k'],
    [{ text: 'w', k: 1.5 }, {}, 'k'],
    [{ text: 'w', k: Number.NaN }, {}, 'k'],
    [{ text: 'w', mode: 'fuzzy' as Mode }, {}, 'mode'],
    [{ text: 'w' }, { maxTokens: -1 }, 'max_tokens'],
    [{ text: 'w' }, { snippetChars: 59 }, 'snippet_chars'],
  ])('rejects %j with %j', (query, options, field) => {
    expect(() => checkSearch(query, options, defaults)).toThrow(
      expect.objectContaining({ code: 'invalid_input', details: expect.objectContaining({ field }) }),
    );
  });
});
