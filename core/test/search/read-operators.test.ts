import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { readOperators } from '../../src/search/read-operators.ts';
import type { SearchResponse } from '../../src/wire/index.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const read = (text: string) => readOperators(text, analyseQuery);
const termsOf = (text: string): readonly string[] =>
  read(text).analysed.terms.map((term) => (term.kind === 'cjk_run' ? term.tokens.join(' ') : term.token));
const noticed = (text: string): readonly string[] => read(text).notices.map((notice) => notice.text);

describe('readOperators', () => {
  it.each([
    ['tag:work plan', { tag: ['work'] }],
    ['tag:#work/backend tag:home plan', { tag: ['work/backend', 'home'] }],
    ['tag:work OR tag:home plan', { tag: ['work', 'home'] }],
    ['lang:ko,EN words', { lang: ['ko', 'en'] }],
    ['source:work words', { source: ['work'] }],
    ['title:"meeting notes" budget', { title: ['meeting notes'] }],
    ['path:journal budget', { pathGlob: ['**/*journal*', '**/*journal*/**'] }],
    ['path:"meeting notes/" budget', { pathGlob: ['**/*meeting notes/**'] }],
    ['path:src/**/*.ts budget', { pathGlob: ['src/**/*.ts'] }],
    ['path:plan*.md budget', { pathGlob: ['plan*.md'] }],
    ['path:journal/2026 budget', { pathGlob: ['**/*journal/2026*', '**/*journal/2026*/**', 'journal:2026'] }],
    ['type:pdf budget', { media: ['pdf'] }],
    ['type:PDF OR type:image', { media: ['pdf', 'image'] }],
    ['type:docx budget', { within: { pathGlob: ['**/*.[dD][oO][cC][xX]'] } }],
    ['type:.csv budget', { within: { pathGlob: ['**/*.[cC][sS][vV]'] } }],
    ['type:swift', { within: { pathGlob: ['**/*.[sS][wW][iI][fF][tT]'] } }],
    ['since:2w plan', { since: { count: 2, unit: 'w' } }],
    ['since:yesterday until:today', { since: { count: 1, unit: 'd' }, until: { count: 0, unit: 'd' } }],
    ['since:2026-03', { since: new Date(2026, 2, 1) }],
    ['until:2025', { until: new Date(2026, 0, 1) }],
  ])('parses the fields of %j', (text, within) => {
    expect(read(text).within).toEqual(within);
    expect(noticed(text)).toEqual([]);
  });

  it.each([
    'http://a.example/x',
    'std::vec push',
    'at 10:30',
    'source:https://a.example',
    'path: journal',
    'tag::x',
    'since:ever',
    'until:noon',
    'type:???',
    '"tag:work"',
    '-tag:work plan',
    '(tag:work)',
  ])('finds no field in %j', (text) => expect(read(text).within).toEqual({}));

  it('ranks by the words of a title field, but not by those of other fields', () => {
    expect(termsOf('title:sourdough tag:work bread')).toEqual(['sourdough', 'bread']);
  });

  it('ranks by every word with a prefix, and by the stem of the word it may abbreviate', () => {
    expect(termsOf('quok* bread')).toEqual(['bread', 'quok*']);
    expect(termsOf('connectio*')).toEqual(['connectio*', 'connection']);
    expect(termsOf('한국*')).toEqual(['한국']);
  });

  it('drops OR between words, which are alternatives anyway, and requires one of several phrases', () => {
    expect(termsOf('cat OR dog')).toEqual(['cat', 'dog']);
    expect(read('cat OR dog').analysed.demands).toBeUndefined();
    const { demands, phrases } = read('"bulk fermentation" OR autolyse OR "long proof" bread').analysed;
    expect(phrases).toEqual([]);
    expect(demands).toMatchObject([
      { kind: 'any', phrases: [{ text: 'bulk fermentation' }, { text: 'long proof' }], words: [{ text: 'autolyse' }] },
    ]);
  });

  it('requires words around NEAR/n to be close to each other', () => {
    expect(read('flour NEAR/5 water NEAR/5 "sea salt"').analysed.demands).toMatchObject([
      { kind: 'near', distance: 5, phrases: [{ text: 'flour' }, { text: 'water' }, { text: 'sea salt' }] },
    ]);
    expect(termsOf('flour NEAR/5 water')).toEqual(['flour', 'water']);
  });

  it('reads operands of NEAR/n over the limit as words, with a notice', () => {
    const chain = (words: number): string => Array.from({ length: words }, (_, at) => `w${at}`).join(' NEAR/9 ');
    expect(read(chain(32)).analysed.demands).toMatchObject([{ kind: 'near' }]);
    const long = read(chain(33));
    expect(long.analysed.demands).toBeUndefined();
    expect(long.notices).toMatchObject([{ text: 'NEAR/9', hint: expect.stringContaining('at most 32') as string }]);
    expect(read(`${chain(20)} between ${chain(20)}`).analysed.demands).toHaveLength(1);
  });

  it('keeps requirements in every weaker interpretation', () => {
    const { analysed } = read('one two three four five NEAR/3 six "a phrase" -seven');
    for (let reading = analysed; ;) {
      expect(reading.demands).toHaveLength(1);
      if (reading.weaker === undefined) break;
      reading = reading.weaker;
    }
    expect(analysed.weaker?.weaker).toBeDefined();
  });

  it.each([
    ['cats AND dogs', ['AND']],
    ['cats NOT dogs', ['NOT']],
    ['cats NEAR dogs', ['NEAR']],
    ['cats OR', ['OR']],
    ['tag:a OR path:b words', ['OR']],
    ['cats NEAR/3 한국', ['NEAR/3']],
    ['author:smith cats', ['author:smith']],
    ['titel:cats', ['titel:cats']],
    ['title: cats', ['title:']],
    ['-tag:work cats', ['-tag:work']],
    ['"an open quote', ['"an']],
    ['wor*d *ord', ['wor*d', '*ord']],
    ['(cats OR dogs) food', ['(cats']],
    ['("big cats" OR "small dogs") food', []],
    ['"big cats" OR ("small dogs" food)', ['food)']],
    ['+ca* -do* food', []],
    ['tag:work', []],
    ['READ AND WRITE', []],
    ['select * from a', []],
    ['http://a.example 10:30 std::vec a:b', []],
    ['5" disk', []],
  ])('reports the parts of %j that look like operators but are words', (text, notices) =>
    expect(noticed(text)).toEqual(notices),
  );

  it('requires and excludes by prefixes in every interpretation, whatever else the query contains', () => {
    const { analysed } = read('one two three four five +connectio* -quok* "a phrase"');
    expect(analysed.weaker).toBeDefined();
    for (const { demands, excluded, terms } of [analysed, analysed.weaker ?? analysed]) {
      expect(demands).toMatchObject([
        { kind: 'any', text: '+connectio*', phrases: [], words: [{ text: 'connectio*' }, { text: 'connection' }] },
      ]);
      expect(excluded.map(({ text }) => text)).toEqual(['quok*']);
      expect(terms).toContainEqual({ kind: 'word', token: 'connectio*' });
      expect(terms).not.toContainEqual({ kind: 'word', token: 'quok*' });
    }
    expect(analysed.embeddingText).not.toContain('quok');
  });

  it('suggests what to write instead', () => {
    expect(read('titel:cats').notices[0]?.hint).toContain('did you mean title:?');
  });
});

describe('a search with operators', () => {
  const open = openForTests();

  const filled = async (): Promise<KnowledgeBase> => {
    const kb = await open();
    const note = (path: string, text: string, tags: readonly string[] = []) =>
      kb.add(path, text, { metadata: { tags } });
    await note('bread.md', '# Sourdough bread\n\nmix the flour with cold water, then wait for bulk fermentation\n', [
      'food',
    ]);
    await note(
      'journal/day.md',
      '# Day\n\nflour prices rose; much later in this long sentence somebody asked for water\n',
      ['work/backend'],
    );
    await note('net.md', '# Net\n\nexponential backoff between retries, and a connection that lasts\n', ['work']);
    return kb;
  };
  const paths = async (kb: KnowledgeBase, text: string): Promise<readonly string[]> =>
    [...new Set((await kb.search.search({ text, mode: 'lexical' })).hits.map((hit) => hit.doc_path))].toSorted();

  it.each([
    ['exponen*', ['net.md']],
    ['connectio*', ['net.md']],
    ['ferm*', ['bread.md']],
    ['flour NEAR/4 water', ['bread.md']],
    ['flour NEAR/20 water', ['bread.md', 'journal/day.md']],
    ['"bulk fermentation" OR "exponential backoff" flour', ['bread.md', 'net.md']],
    ['"bulk fermentation" OR prices flour', ['bread.md', 'journal/day.md']],
    ['"bulk fermentation" OR "no such phrase" flour water', ['bread.md']],
    ['tag:work flour retries', ['journal/day.md', 'net.md']],
    ['tag:work/backend flour retries', ['journal/day.md']],
    ['path:journal flour', ['journal/day.md']],
    ['path:bread.md flour', ['bread.md']],
    ['+exponen* flour', ['net.md']],
    ['+connectio* flour', ['net.md']],
    ['flour retries -exponen*', ['bread.md', 'journal/day.md']],
    ['flour retries -connectio*', ['bread.md', 'journal/day.md']],
    ['flour retries -exponents*', ['bread.md', 'journal/day.md', 'net.md']],
    ['("bulk fermentation" OR "exponential backoff")', ['bread.md', 'net.md']],
    ['("bulk fermentation" OR "no such phrase") flour water', ['bread.md']],
    ['title:Bread', ['bread.md']],
    ['title:rea', []],
    ['title:bread retries', ['bread.md']],
  ])('finds by %j', async (text, found) => expect(await paths(await filled(), text)).toEqual(found));

  it('narrows filters and never widens them', async () => {
    const kb = await filled();
    const search = (text: string, filters: object): Promise<SearchResponse> =>
      kb.search.search({ text, mode: 'lexical', filters });
    expect((await search('tag:food flour', { tag: ['work'] })).hits).toEqual([]);
    expect((await search('tag:work/backend flour', { tag: ['work'] })).hits).toHaveLength(1);
  });

  it('continues after a page where it stopped', async () => {
    const kb = await filled();
    const query = { text: 'path:md flour OR retries', mode: 'lexical', k: 1 } as const;
    const first = await kb.search.search(query);
    const second = await kb.search.search(query, { cursor: first.next_cursor ?? '' });
    expect(second.hits[0]?.rank).toBe(2);
  });

  it('reports in the response what it treated as words, and nothing for a plain query', async () => {
    const kb = await filled();
    expect((await kb.search.search({ text: 'flour AND water' })).notices).toMatchObject([{ text: 'AND' }]);
    expect(await kb.search.search({ text: 'flour "cold water" -retries' })).not.toHaveProperty('notices');
  });

  it('reports a name of which only the word is there', async () => {
    const kb = await open();
    await kb.add('flags.md', 'See #12 and hidden files.\n');
    const notices = async (text: string) => (await kb.search.search({ text, mode: 'lexical' })).notices;
    expect(await notices('--hidden')).toMatchObject([
      { text: '--hidden', hint: 'no passage contains it as it is typed' },
    ]);
    expect(await notices('#12')).toBeUndefined();
    expect(await notices('#99')).toBeUndefined();
  });

  it('looks for a lone word with a minus as it is typed, else for the word, and reports that', async () => {
    const kb = await open();
    await kb.add('flags.md', 'Use `-uuu` to see hidden files.\n');
    await kb.add('other.md', 'The sound uuu is long. See -0 and -vv.\n');
    const search = async (text: string): Promise<SearchResponse> => kb.search.search({ text, mode: 'lexical' });
    const found = async (text: string) => (await search(text)).hits.map(({ doc_path: file }) => file);
    expect(await found('-uuu')).toEqual(['flags.md']);
    expect(await found(' -vv ')).toEqual(['other.md']);
    expect(await found('-hidden')).toEqual(['flags.md']);
    expect(await found('sound -uuu')).toEqual([]);
    expect((await search('-uuu')).notices).toMatchObject([{ text: '-uuu' }]);
    await expect(search('-uuu -sound')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(search('-"hidden files"')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it.each(['landlord +lisbon', '"lisbon" landlord'])(
    'orders by %j what all hits have by its other word',
    async (query) => {
      const kb = await open();
      await kb.add('trams.md', 'Lisbon, Lisbon: the trams of Lisbon and the coast near Lisbon.\n');
      await kb.add('flat.md', 'Before the journey, ask the landlord of the flat in Lisbon for another set of keys.\n');
      for (let at = 0; at < 9; at++) await kb.add(`${at}.md`, `Note ${at} about something else.\n`);
      const { hits } = await kb.search.search({ text: query, mode: 'lexical' });
      expect(hits.map(({ doc_path: file }) => file)).toEqual(['flat.md', 'trams.md']);
    },
  );

  it.each([
    ['fussball', 'Der Fußball rollt.'],
    ['STRASSE', 'Die Straße ist gesperrt.'],
    ['Gruß', 'Und ein lieber GRUSS.'],
    ['"massgeblicher fluss"', 'Ein maßgeblicher Fluß.'],
    ['oeuvre', 'Une œuvre de jeunesse.'],
    ['smorrebrod', 'Smørrebrød til frokost.'],
    ['Łódź', 'a train to Lodz'],
    ['isik', 'Sokakta ışık yandı.'],
    ['grosse.md', 'Not in the text.'],
  ])('finds by %j what is written %j', async (query, text) => {
    const kb = await open();
    await kb.add('größe.md'.normalize('NFC'), `${text}\n`);
    await kb.add('other.md', 'Something else entirely.\n');
    const { hits, unknown_terms: unknown } = await kb.search.search({ text: query, mode: 'lexical' });
    expect([hits.map(({ doc_path: file }) => file), unknown]).toEqual([['größe.md'], undefined]);
  });
});
