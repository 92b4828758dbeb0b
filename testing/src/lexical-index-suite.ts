import assert from 'node:assert/strict';
import type { ChunkId, SearchFilters } from '@kebab/core';
import type { DocumentWrite } from '@kebab/core/store';
import { fingerprintOf } from '@kebab/core/suites';
import { casesOn, type ContractCase, type ContractSuite } from './contract-suite.ts';
import {
  type Find,
  type LexicalCase,
  type LexicalFixture,
  type MakeDocuments,
  type OpenLexicalIndex,
  searchableWrite,
  searchable,
  type SearchableDocument,
} from './lexical-case.ts';
import { lexicalFindingCases } from './lexical-finding-cases.ts';

/** Options of {@link lexicalIndexSuite}. */
export interface LexicalIndexSuiteOptions {
  /** Opens an index over an empty knowledge base and commits the documents to it. */
  readonly open: (makeDocuments: MakeDocuments) => Promise<OpenLexicalIndex>;
}

/** The contract suite of a {@link LexicalIndex}: one analysis, what is found, filters before top-k, order, and no query that throws. */
export function lexicalIndexSuite({ open }: LexicalIndexSuiteOptions): ContractSuite {
  const toCase = ({ name, documents, check }: LexicalCase): ContractCase => {
    let written: readonly DocumentWrite[] = [];
    const opening = casesOn(() =>
      open((analyseChunk) => (written = documents.map((document) => searchableWrite(document, analyseChunk)))),
    );
    return opening(name, (opened) => check(fixtureOf(opened, written)));
  };
  return { contract: 'LexicalIndex', cases: [...lexicalFindingCases(), ...lexicalRankingCases()].map(toCase) };
}

function fixtureOf({ index, writeUncommitted }: OpenLexicalIndex, written: readonly DocumentWrite[]): LexicalFixture {
  const places = new Map<ChunkId, string>();
  const record = ({ document, chunks }: DocumentWrite): void => {
    for (const { chunkId, ordinal } of chunks)
      places.set(chunkId, `${document.sourceId} ${document.workspacePath}#${ordinal}`);
  };
  written.forEach(record);
  const placeOf = (id: ChunkId): string => places.get(id) ?? `an unknown chunk ${id}`;
  return {
    index,
    placeOf,
    find: findIn(index, placeOf),
    ...(writeUncommitted !== undefined && {
      writeUncommitted: (document, during) => {
        const write = searchableWrite(document, (material) => index.analyseChunk(material));
        record(write);
        return writeUncommitted(write, during);
      },
    }),
  };
}

function findIn(index: LexicalFixture['index'], placeOf: LexicalFixture['placeOf']): Find {
  return async (query, { filters = {}, limit = 50 } = {}) => {
    const hits = await index.search(index.analyseQuery(query), filters, limit);
    assert.ok(hits.length <= limit, `${JSON.stringify(query)} gave ${hits.length} hits for limit ${limit}`);
    for (const [i, { score }] of hits.entries()) {
      assert.ok(Number.isFinite(score) && score >= 0, `score ${score} of hit ${i}`);
      assert.ok(i === 0 || score <= (hits[i - 1]?.score ?? 0), `hit ${i} scores more than the hit before it`);
    }
    assert.equal(new Set(hits.map(({ chunkId }) => chunkId)).size, hits.length, 'a chunk appears twice');
    return hits.map(({ chunkId }) => placeOf(chunkId).replace(/^\S+ /, ''));
  };
}

/** The promises about order, filters, limits and counts. */
function lexicalRankingCases(): readonly LexicalCase[] {
  return [...order(), ...limits(), ...filterCases(), ...counts()];
}

/** Sixty documents about the same few words, with different frequencies. */
const MANY = Array.from({ length: 60 }, (_, i) => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'und und'].filter((_word, w) => i % (w + 2) === 0);
  return searchable(`many/${String(i).padStart(2, '0')}.md`, `${words.join(' ')} ${'filler '.repeat(i % 7)}common`);
});

function order(): readonly LexicalCase[] {
  return [
    {
      name: 'ranks chunks first that contain more of the query, and rarer words',
      documents: [...MANY, searchable('both.md', 'common quagga okapi'), searchable('one.md', 'common quagga filler')],
      check: async ({ find }) =>
        assert.deepEqual(await find('common quagga okapi', { limit: 2 }), ['both.md#0', 'one.md#0']),
    },
    {
      name: 'weights headings and symbols above text',
      documents: [
        searchable('a-text.md', ['quagga stripes', 'more']),
        searchable('b-heading.md', [{ text: 'plain stripes', headingPath: ['quagga'] }, 'more']),
        searchable('c-symbol.rs', [{ text: 'plain stripes', symbol: 'quagga' }, 'more']),
      ],
      check: async ({ find }) => assert.equal((await find('quagga')).at(-1), 'a-text.md#0'),
    },
    {
      name: 'ranks an exact run of Han, Hangul or kana above its pieces',
      documents: [
        searchable('a-pieces.md', '은행 나무와 행사 지점 그리고 점심'),
        searchable('b-exact.md', '새로운 은행지점 그리고 점심 시간'),
      ],
      check: async ({ find }) => assert.equal((await find('은행지점'))[0], 'b-exact.md#0'),
    },
    {
      name: 'orders ties by path, then ordinal, then source',
      documents: [
        searchable('b.md', ['same words', 'same words']),
        searchable('a.md', 'same words', { sourceId: 'work' }),
        searchable('a.md', 'same words', { sourceId: 'default' }),
        searchable('B.md', 'same words'),
        searchable('한.md', 'same words'),
        searchable('other.md', 'different'),
      ],
      check: async ({ index, placeOf }) => {
        for (const query of ['same', 'words same'])
          assert.deepEqual(
            (await index.search(index.analyseQuery(query), {}, 9)).map(({ chunkId }) => placeOf(chunkId)),
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
      check: async ({ find }) => {
        for (const query of queries) {
          const whole = await find(query, { limit: 100 });
          assert.ok(whole.length > 3, query);
          for (let limit = 1; limit <= whole.length; limit++)
            assert.deepEqual(await find(query, { limit }), whole.slice(0, limit), `${query}, limit ${limit}`);
        }
      },
    },
    {
      name: 'returns the same list again, and nothing for a limit of 0',
      documents: MANY,
      check: async ({ find }) => {
        for (const query of queries) assert.deepEqual(await find(query), await find(query));
        assert.deepEqual(await find('alpha', { limit: 0 }), []);
      },
    },
    {
      name: 'finds chunks by words that every chunk contains',
      documents: MANY,
      check: async ({ find }) => {
        assert.equal((await find('common', { limit: 100 })).length, 60);
        assert.equal((await find('absent common', { limit: 100 })).length, 60);
      },
    },
  ];
}

function filterCases(): readonly LexicalCase[] {
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
    { readable: [{ source: 'work', isAllowed: true }] },
    { readable: [{ path: 'top', isAllowed: false }, { isAllowed: true }] },
  ];
  const none: readonly SearchFilters[] = [
    { tag: ['y'] },
    { pathGlob: ['deep/*'] },
    { pathGlob: ['*.rs'] },
    { lang: [] },
    { tag: ['x'], lang: ['en'] },
    { ingestedAfter: new Date('2026-06-01T00:00:00.001Z') },
    { source: ['elsewhere'] },
    { readable: [] },
    {
      readable: [
        { source: 'work', isAllowed: false },
        { path: 'deep/**', isAllowed: true },
      ],
    },
  ];
  return [
    {
      name: 'applies filters before the limit',
      documents: [...better, wanted],
      check: async ({ find }) => {
        for (const given of only)
          for (const query of ['quagga', 'quagga filler absent'])
            assert.deepEqual(
              await find(query, { filters: given, limit: 1 }),
              ['deep/er/wanted.rs#0'],
              JSON.stringify(given),
            );
        for (const given of none) assert.deepEqual(await find('quagga', { filters: given }), [], JSON.stringify(given));
        assert.equal((await find('quagga', { filters: { trustMin: 'generated' }, limit: 31 })).length, 31);
        assert.equal((await find('quagga', { filters: {}, limit: 100 })).length, 31);
      },
    },
    {
      name: 'keeps order and scores under filters',
      documents: MANY,
      check: async ({ find }) => {
        const all = (await find('alpha gamma und', { limit: 100 })).filter((place) => /[13579]\.md/.test(place));
        assert.deepEqual(
          await find('alpha gamma und', { limit: 100, filters: { pathGlob: ['many/*[13579].md'] } }),
          all,
        );
      },
    },
  ];
}

function counts(): readonly LexicalCase[] {
  return [
    {
      name: 'counts the chunks that contain a token',
      documents: [
        searchable('a.md', ['quagga quagga', 'okapi 한국은', { text: 'x', headingPath: ['Quagga'] }]),
        searchable('b.md', 'parseHTTPUrl 한글'),
      ],
      check: async ({ index }) => {
        const tokens = ['quagga', 'okapi', '한국', '한', 'http', 'absent', ''];
        assert.deepEqual(await index.termStats(tokens), { chunks: 4, df: [2, 1, 1, 2, 1, 0, 0] });
        assert.deepEqual(await index.termStats(tokens, { pathGlob: ['b.md'] }), {
          chunks: 1,
          df: [0, 0, 0, 1, 1, 0, 0],
        });
      },
    },
    {
      name: 'identifies its analysis, also in its fingerprint',
      documents: [],
      check: async ({ find, index }) => {
        assert.deepEqual(await find('anything'), []);
        assert.match(index.indexVersion(), /\S/);
        assert.ok(fingerprintOf(index).includes(index.indexVersion()));
        assert.deepEqual(await index.termStats(['a']), { chunks: 0, df: [0] });
      },
    },
    {
      name: 'returns only what is committed',
      documents: [searchable('a.md', 'quagga')],
      check: async ({ find, writeUncommitted }) => {
        assert.deepEqual(await find('quagga'), ['a.md#0']);
        if (writeUncommitted === undefined) return;
        await writeUncommitted(searchable('b.md', 'quagga'), async () =>
          assert.deepEqual(await find('quagga'), ['a.md#0']),
        );
        assert.deepEqual(await find('quagga'), ['a.md#0', 'b.md#0']);
      },
    },
    {
      name: 'does not start when it has been cancelled',
      documents: MANY,
      check: async ({ index }) => {
        const signal = AbortSignal.abort();
        await assert.rejects(index.search(index.analyseQuery('alpha'), {}, 5, { signal }));
      },
    },
  ];
}
