import assert from 'node:assert/strict';
import type { SearchFilters } from '../domain/query.ts';
import type { LexicalCase } from './lexical-case.ts';
import { searchable, type SearchableDocument } from './searchable-document.ts';

/** Promises about order, filters, limits and counts. */
export function lexicalRankingCases(): readonly LexicalCase[] {
  return [...order(), ...limits(), ...filters(), ...counts()];
}

/** Sixty documents about the same few words, in different measure. */
const MANY = Array.from({ length: 60 }, (_, i) => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'und und'].filter((_word, w) => i % (w + 2) === 0);
  return searchable(`many/${String(i).padStart(2, '0')}.md`, `${words.join(' ')} ${'filler '.repeat(i % 7)}common`);
});

function order(): readonly LexicalCase[] {
  return [
    {
      name: 'puts chunks that hold more of the query, and rarer words, first',
      documents: [...MANY, searchable('both.md', 'common quagga okapi'), searchable('one.md', 'common quagga filler')],
      check: ({ find }) => assert.deepEqual(find('common quagga okapi', { limit: 2 }), ['both.md#0', 'one.md#0']),
    },
    {
      name: 'counts headings and symbols above text',
      documents: [
        searchable('a-text.md', ['quagga stripes', 'more']),
        searchable('b-heading.md', [{ text: 'plain stripes', headingPath: ['quagga'] }, 'more']),
        searchable('c-symbol.rs', [{ text: 'plain stripes', symbol: 'quagga' }, 'more']),
      ],
      check: ({ find }) => assert.equal(find('quagga').at(-1), 'a-text.md#0'),
    },
    {
      name: 'ranks an exact run of Han, Hangul or kana above its pieces',
      documents: [
        searchable('a-pieces.md', '은행 나무와 행사 지점 그리고 점심'),
        searchable('b-exact.md', '새로운 은행지점 그리고 점심 시간'),
      ],
      check: ({ find }) => assert.equal(find('은행지점')[0], 'b-exact.md#0'),
    },
    {
      name: 'orders equals by path, then ordinal, then source',
      documents: [
        searchable('b.md', ['same words', 'same words']),
        searchable('a.md', 'same words', { sourceId: 'work' }),
        searchable('a.md', 'same words', { sourceId: 'default' }),
        searchable('B.md', 'same words'),
        searchable('한.md', 'same words'),
        searchable('other.md', 'different'),
      ],
      check: ({ index, placeOf }) => {
        for (const query of ['same', 'words same'])
          assert.deepEqual(
            index.search(index.analyseQuery(query), {}, 9).map(({ chunkId }) => placeOf(chunkId)),
            ['default B.md#0', 'default a.md#0', 'work a.md#0', 'default b.md#0', 'default b.md#1', 'default 한.md#0'],
          );
      },
    },
  ];
}

function limits(): readonly LexicalCase[] {
  const queries = ['alpha', 'common', 'alpha beta gamma delta und', 'common -alpha', '"und und" delta', 'absent beta'];
  return [
    {
      name: 'begins a longer list with the shorter one',
      documents: MANY,
      check: ({ find }) => {
        for (const query of queries) {
          const whole = find(query, { limit: 100 });
          assert.ok(whole.length > 3, query);
          for (let limit = 1; limit <= whole.length; limit++)
            assert.deepEqual(find(query, { limit }), whole.slice(0, limit), `${query}, limit ${limit}`);
        }
      },
    },
    {
      name: 'gives the same list again, and nothing for a limit of 0',
      documents: MANY,
      check: ({ find }) => {
        for (const query of queries) assert.deepEqual(find(query), find(query));
        assert.deepEqual(find('alpha', { limit: 0 }), []);
      },
    },
    {
      name: 'finds chunks by words that every chunk holds',
      documents: MANY,
      check: ({ find }) => {
        assert.equal(find('common', { limit: 100 }).length, 60);
        assert.equal(find('absent common', { limit: 100 }).length, 60);
      },
    },
  ];
}

function filters(): readonly LexicalCase[] {
  const wanted = searchable('deep/er/wanted.rs', `${'filler '.repeat(80)}quagga`, {
    sourceId: 'work',
    lang: 'und',
    metadata: { sourceType: 'code', trustLevel: 'secondary', tags: ['x', 'y z'], repo: 'kebab', codeLang: 'rust' },
    committedAt: new Date('2026-06-01T00:00:00Z'),
  });
  const better: readonly SearchableDocument[] = Array.from({ length: 30 }, (_, i) =>
    searchable(`top/${i}.md`, 'quagga quagga', { lang: 'en', metadata: { trustLevel: 'generated', tags: ['z'] } }),
  );
  const only: readonly SearchFilters[] = [
    { tag: ['y z', 'q'] },
    { lang: ['und', 'ko'] },
    { pathGlob: ['deep/**'] },
    { pathGlob: ['*.txt', 'deep/*/*.rs'] },
    { trustMin: 'secondary' },
    { media: ['code'] },
    { sourceType: ['code'] },
    { repo: ['kebab'] },
    { codeLang: ['rust'] },
    { source: ['work'] },
    { ingestedAfter: new Date('2026-06-01T00:00:00Z') },
    { tag: ['x'], lang: ['und'], media: ['code'] },
  ];
  const none: readonly SearchFilters[] = [
    { tag: ['y'] },
    { pathGlob: ['deep/*'] },
    { pathGlob: ['*.rs'] },
    { lang: [] },
    { tag: ['x'], lang: ['en'] },
    { ingestedAfter: new Date('2026-06-01T00:00:00.001Z') },
    { source: ['elsewhere'] },
  ];
  return [
    {
      name: 'applies filters before it cuts the list',
      documents: [...better, wanted],
      check: ({ find }) => {
        for (const given of only)
          for (const query of ['quagga', 'quagga filler absent'])
            assert.deepEqual(find(query, { filters: given, limit: 1 }), ['deep/er/wanted.rs#0'], JSON.stringify(given));
        for (const given of none) assert.deepEqual(find('quagga', { filters: given }), [], JSON.stringify(given));
        assert.equal(find('quagga', { filters: { trustMin: 'generated' }, limit: 31 }).length, 31);
        assert.equal(find('quagga', { filters: {}, limit: 100 }).length, 31);
      },
    },
    {
      name: 'keeps order and scores under filters',
      documents: MANY,
      check: ({ find }) => {
        const all = find('alpha gamma und', { limit: 100 }).filter((place) => /[13579]\.md/.test(place));
        assert.deepEqual(find('alpha gamma und', { limit: 100, filters: { pathGlob: ['many/*[13579].md'] } }), all);
      },
    },
  ];
}

function counts(): readonly LexicalCase[] {
  return [
    {
      name: 'tells in how many chunks a token occurs',
      documents: [
        searchable('a.md', ['quagga quagga', 'okapi 한국은', { text: 'x', headingPath: ['Quagga'] }]),
        searchable('b.md', 'parseHTTPUrl 한글'),
      ],
      check: ({ index }) => {
        const tokens = ['quagga', 'okapi', '한국', '한', 'http', 'absent', ''];
        assert.deepEqual(index.termStats(tokens), { chunks: 4, df: [2, 1, 1, 2, 1, 0, 0] });
      },
    },
    {
      name: 'names its analysis, and says so in its fingerprint',
      documents: [],
      check: ({ find, index }) => {
        assert.deepEqual(find('anything'), []);
        assert.match(index.indexVersion(), /\S/);
        assert.ok(index.fingerprint().includes(index.indexVersion()));
        assert.deepEqual(index.termStats(['a']), { chunks: 0, df: [0] });
      },
    },
    {
      name: 'returns only what is committed',
      documents: [searchable('a.md', 'quagga')],
      check: async ({ find, writeUncommitted }) => {
        assert.deepEqual(find('quagga'), ['a.md#0']);
        if (writeUncommitted === undefined) return;
        await writeUncommitted(searchable('b.md', 'quagga'), () => assert.deepEqual(find('quagga'), ['a.md#0']));
        assert.deepEqual(find('quagga'), ['a.md#0', 'b.md#0']);
      },
    },
    {
      name: 'does not begin when it has been cancelled',
      documents: MANY,
      check: ({ index }) => {
        const signal = AbortSignal.abort();
        assert.throws(() => index.search(index.analyseQuery('alpha'), {}, 5, { signal }));
      },
    },
  ];
}
