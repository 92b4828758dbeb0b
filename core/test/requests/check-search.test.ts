import { describe, expect, it } from 'vitest';
import type { Mode, SearchOptions, SearchQuery } from '../../src/domain/query.ts';
import { checkSearch } from '../../src/requests/check-search.ts';

const defaults = { defaultK: 10, snippetChars: 220 };

describe('checkSearch', () => {
  it('fills in what was not asked for', () => {
    expect(checkSearch({ text: 'words' }, {}, defaults)).toEqual({
      text: 'words',
      mode: 'hybrid',
      k: 10,
      filters: {},
      maxTokens: null,
      snippetChars: 220,
      cursor: null,
      explain: false,
      expect: null,
      cache: true,
    });
  });

  it('lets a call ask for longer and shorter snippets than configured', () => {
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
  ])('refuses %j with %j', (query, options, field) => {
    expect(() => checkSearch(query, options, defaults)).toThrow(
      expect.objectContaining({ code: 'invalid_input', details: expect.objectContaining({ field }) }),
    );
  });
});
