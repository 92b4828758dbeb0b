import { describe, expect, it } from 'vitest';
import type { SearchQuery } from '../../src/requests/search.ts';
import { SearchResponseSchema } from '../../src/wire/search.ts';
import type { SearchResponse } from '../../src/wire/index.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const suggestions = async (kb: KnowledgeBase, query: SearchQuery): Promise<SearchResponse['suggestions']> =>
  SearchResponseSchema.parse(await kb.search.search({ mode: 'lexical', ...query })).suggestions;

describe('a search that finds nothing', () => {
  const open = openForTests();

  const filled = async (): Promise<KnowledgeBase> => {
    const kb = await open();
    await kb.add('bread.md', 'A sourdough needs patience.\n\nSourdoughs rise.\n', {
      lang: 'en',
      metadata: { tags: ['planning', 'work/backend'] },
    });
    await kb.add('net.md', 'Exponential backoff between retries; the exponential curve.\n', { lang: 'en' });
    await kb.add('meeting notes/seoul.md', '서울의 김치찌개 가게에서\n', { lang: 'ko' });
    await kb.add('days.md', '日中 日曜日\n', { lang: 'ja' });
    return kb;
  };

  it.each([
    ['exponental backof', 'exponential backoff'],
    ['Sourdouhg?', 'sourdough?'],
    ['"exponental curve"', '"exponential curve"'],
    ['서욿', '서울'],
    ['김치찌게', '김치찌개'],
    ['tag:planing patience', 'tag:planning patience'],
    ['path:"meting notes" patience', 'path:"meeting notes/" patience'],
    ['path:"meting notes/" patience', 'path:"meeting notes/" patience'],
    ['qqqqqq', null],
    ['zz', null],
    ['quok*', null],
    ['patience +curve', null],
    [
      'one two three four five six seven eight nine +exponental',
      'one two three four five six seven eight nine +exponential',
    ],
    ['"does a sourdough need patience"', 'does a sourdough need patience'],
    ['"no word of this"', null],
    ['"does a sourdough need patience" +curve', null],
    ['"no word of this" exponental', null],
    ['"exponential curve" -backof', null],
    ['+patience +exponental', null],
    ['+retries +exponental', '+retries +exponential'],
    ['日本', null],
    ['expone', 'exponential'],
    ['exponenital', 'exponential'],
    ['patien', 'patience'],
    ['aptience', 'patience'],
    ['entries', null],
  ])('for %j suggests %j', async (text, query) => {
    expect((await suggestions(await filled(), { text }))?.query ?? null).toBe(query);
  });

  it('prefers, of words that are as near, the one that a passage has with the others', async () => {
    const kb = await open();
    for (let at = 0; at < 5; at++) await kb.add(`${at}.md`, `Baum number ${at} grows.\n`);
    await kb.add('glaze.md', 'Barium carbonate is toxic.\n');
    const found = await suggestions(kb, { text: 'barum carbonat' });
    expect(found).toMatchObject({ query: 'barium carbonate', words: [{ nearest: ['barium', 'baum'] }, {}] });
  });

  it('suggests words as they are written', async () => {
    const kb = await open();
    await kb.add('haus.md', 'Die Wärmepumpe am Fluß.\n', { lang: 'de' });
    expect((await suggestions(kb, { text: 'Wärmpumpe' }))?.query).toBe('wärmepumpe');
  });

  it.each([
    ['"하늘바람나무구름강물햇볕"', '"하늘바람나무구름강물햇빛"'],
    ['"큰하늘바람나무구름강물햇볕"', null],
  ])('for the run %j of twelve or more characters suggests %j', async (text, query) => {
    const kb = await open();
    await kb.add('sky.md', '하늘바람나무구름강물햇빛\n\n큰하늘바람나무구름강물햇빛\n', { lang: 'ko' });
    expect((await suggestions(kb, { text }))?.query ?? null).toBe(query);
  });

  it.each([
    ['콜레스태롤 재검', '콜레스테롤 재검'],
    ['모니터닝 규칙', '모니터링 규칙'],
    ['통일빵 발효', '통밀빵 발효'],
    ['통밀빵을 발효', null],
    ['재검하는 규칙', null],
    ['발효하던 빵', null],
  ])('beside hits of Korean words for %j suggests %j', async (text, query) => {
    const kb = await open();
    await kb.add('notes.md', '콜레스테롤 재검\n\n모니터링 규칙을 재검하던 날\n\n통밀빵 발효하는 시간\n', {
      lang: 'ko',
    });
    expect((await suggestions(kb, { text }))?.query ?? null).toBe(query);
  });

  it('drops the quotes only when the filters match something', async () => {
    const query = { text: '"does a sourdough need patience"', filters: { lang: ['ko'] } };
    expect(await suggestions(await filled(), query)).toBeUndefined();
  });

  it('suggests several words, nearest first', async () => {
    const found = await suggestions(await filled(), { text: 'backof sourdoug' });
    expect(found?.words).toMatchObject([
      { word: 'backof', nearest: ['backoff'] },
      { word: 'sourdoug', nearest: ['sourdough', 'sourdoughs'] },
    ]);
  });

  it.each([
    [{ source: ['defalt'] }, { filter: 'source', value: 'defalt', nearest: 'default' }],
    [{ lang: ['korean'] }, { filter: 'lang', value: 'korean', nearest: 'ko', known: ['en', 'ja', 'ko'] }],
    [{ tag: ['backend'] }, { filter: 'tag', value: 'backend', nearest: null, known: ['planning', 'work/backend'] }],
    [{ tag: ['Planning'] }, { filter: 'tag', value: 'Planning', nearest: 'planning' }],
    [{ pathGlob: ['meting notes/**'] }, { filter: 'path_glob', nearest: 'meeting notes/', known: ['meeting notes/'] }],
    [{ pathGlob: ['bred.md'] }, { filter: 'path_glob', nearest: 'bread.md' }],
    [{ media: ['pdf'] as const }, { filter: 'media', value: 'pdf', nearest: null, known: ['markdown'] }],
  ])('for the filters %j suggests existing values', async (filters, suggestion) => {
    expect((await suggestions(await filled(), { text: 'patience', filters }))?.filters).toMatchObject([suggestion]);
  });

  it.each([
    ['type:klingon', [{ value: 'klingon', nearest: null, known: ['markdown'] }], null],
    ['patience type:markdwn', [{ value: 'markdwn', nearest: 'markdown' }], 'patience type:markdown'],
    ['type:klingon type:pdf,markdwn', [{ value: 'klingon' }, { value: 'pdf' }, { value: 'markdwn' }], null],
    ['patience type:klingon path:bread title:"a type:markdwn"', [{ value: 'klingon' }], null],
  ])('suggests the types that there are for %j', async (text, types, query) => {
    const found = await suggestions(await filled(), { text });
    expect(found).toMatchObject({ filters: types.map((type) => ({ filter: 'type', ...type })), query });
  });

  it('reports a few filters that match nothing, however many there are, each truncated', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `unknown${at}`);
    const filters = { tag: ['x'.repeat(100_000), ...many], lang: many };
    const found = await suggestions(await filled(), { text: 'patience', filters });
    expect(found?.filters.map(({ value }) => value)).toEqual(many.slice(0, 8));
    const long = await suggestions(await filled(), { text: 'patience', filters: { tag: filters.tag } });
    expect(long?.filters.map(({ value }) => value)).toEqual([`${'x'.repeat(200)}…`, ...many.slice(0, 7)]);
  });

  it('suggests another spelling beside hits, for a word that no passage contains', async () => {
    const found = await suggestions(await filled(), { text: 'exponental retries' });
    expect(found).toMatchObject({ query: 'exponential retries', filters: [] });
  });

  it.each([
    'how long does the dough rest',
    'when does the kiln cool',
    'who made the dough rest',
    'dough that goes cold',
    'has the kiln moved',
  ])('suggests nothing beside the hits of %j, whose other words are everyday ones', async (text) => {
    const kb = await open();
    await kb.add('doc.md', '# Doc\n\nThe dough is done when it has rested; a mode of the kiln.\n', { lang: 'en' });
    await kb.add('kiln.md', 'The kiln cools for a god, with a mover and a cold model.\n', { lang: 'en' });
    expect(await suggestions(kb, { text })).toBeUndefined();
  });

  describe('a word that occurs, but may be misspelt', () => {
    const corpus = async (): Promise<KnowledgeBase> => {
      const kb = await open();
      for (let at = 0; at < 12; at++) {
        const text = `Chapter ${at}: the manuscript has a parchment cover; a reference to the catalogue; allocates vellum.`;
        await kb.add(`shelf/${at}.md`, `${text} Its existence and its Wagen, ${'x'.repeat(at)}.\n`, { lang: 'en' });
      }
      await kb.add('letter.md', 'The manuscirpt is lost. The reaction of the palimpsest, Wagens.\n', { lang: 'en' });
      await kb.add('code.md', '`alloc alloc alloc`\n', { lang: 'en' });
      return kb;
    };

    it.each([
      ['manuscirpt cover', 'manuscript'],
      ['existance of a cover', 'existence'],
      ['referance to vellum', 'reference'],
      ['alocates vellum', 'allocates'],
      ['catalouge entry', 'catalogue'],
      ['parchement cover', 'parchment'],
    ])('is told beside the hits of %j: %s', async (text, meant) => {
      const told = await suggestions(await corpus(), { text });
      expect(told?.words.flatMap(({ nearest }) => nearest)).toContain(meant);
    });

    it.each([
      'palimpsest cover',
      'allocating vellum',
      'wagens cover',
      'reaction to the cover',
      'chapters of the cover',
    ])('is left alone in %j', async (text) => {
      expect(await suggestions(await corpus(), { text })).toBeUndefined();
    });
  });

  describe('a part of an identifier, and another spelling of a known stem', () => {
    const corpus = async (): Promise<KnowledgeBase> => {
      const kb = await open();
      await kb.add('a.md', 'secure_filename cleans a name; parse_http_response and maxRetryCount bound it.\n');
      await kb.add('b.md', 'The extractor extracts; an embedding of min_relevance is compatible with the operator.\n');
      await kb.add('c.md', 'Extraction, compatibility, operations and embedders in general.\n');
      return kb;
    };

    it.each([
      ['secure_filenmae', 'secure_filename'],
      ['SECURE_FILENMAE', 'SECURE_FILENAME'],
      ['maxRertyCount', 'maxRetryCount'],
      ['parseHttpRespones', 'parseHttpResponse'],
      ['the respones', 'the response'],
      ['min_relevence', 'min_relevance'],
      ['an extracter', 'an extractor'],
      ['the extracters', 'the extractor'],
      ['embeddding of min_relevance', 'embedding of min_relevance'],
      ['compatable formats', 'compatible formats'],
    ])('is corrected in %j: %s', async (text, query) => {
      expect((await suggestions(await corpus(), { text }))?.query).toBe(query);
    });

    it.each(['secure_filename', 'maxRetryCount', 'extracting', 'operating', 'general embedders', 'secure_name'])(
      'is left alone in %j',
      async (text) => {
        expect(await suggestions(await corpus(), { text })).toBeUndefined();
      },
    );
  });

  it('suggests nothing when every word is known, or when nothing is near', async () => {
    const kb = await filled();
    expect(await suggestions(kb, { text: 'exponential retries' })).toBeUndefined();
    expect(await suggestions(kb, { text: 'helicopter retries' })).toBeUndefined();
    expect(await suggestions(kb, { text: 'patience', filters: { tag: ['planning'], lang: ['ko'] } })).toBeUndefined();
    expect(await suggestions(await open(), { text: 'anything' })).toBeUndefined();
  });
});
