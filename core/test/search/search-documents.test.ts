import { componentPorts } from '../../src/ports.ts';
import { rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LexicalIndex } from '../../src/contracts/lexical-index.ts';
import type { ChunkId } from '../../src/domain/ids.ts';
import type { SearchOptions, SearchQuery } from '../../src/requests/search.ts';
import { charCount, outputTokens } from '../../src/domain/text-size.ts';
import { FakeComponents } from '../fake-components.ts';
import { sampleWrite } from '@kebab/testing';
import { openSearcher } from '../../src/search/search-documents.ts';
import type { SearchResponse } from '../../src/wire/index.ts';
import { SearchResponseSchema } from '../../src/wire/search.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { itemAt } from '../kb/item-at.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const search = async (
  kb: KnowledgeBase,
  query: SearchQuery | string,
  options: SearchOptions = {},
): Promise<SearchResponse> => {
  const response = await kb.search.search(typeof query === 'string' ? { text: query } : query, options);
  return SearchResponseSchema.parse(response);
};

const addNotes = async (kb: KnowledgeBase, count: number): Promise<void> => {
  for (let at = 0; at < count; at++)
    await kb.add(`notes/${String(at).padStart(3, '0')}.md`, `${'salt '.repeat(1 + (at % 7))}and water number ${at}\n`);
};

const ids = (response: SearchResponse): readonly string[] => response.hits.map(({ chunk_id }) => chunk_id);

describe('a search', () => {
  const open = openForTests();

  it('logs the ids of its hits, but no text', async () => {
    const kb = await open();
    await kb.add('a.md', 'The old lighthouse stands.\n');
    const logged: unknown[] = [];
    const log = { ...kb.log, debug: (message: string, fields?: unknown) => void logged.push([message, fields]) };
    const searcher = openSearcher({ ...kb.ports, log });
    const response = await searcher.search({ text: 'lighthouse', mode: 'lexical' });
    expect(logged).toMatchObject([['searched', { mode: 'lexical', chunk_ids: ids(response), degraded: [] }]]);
    expect(JSON.stringify(logged)).not.toContain('lighthouse');
  });

  it('reports what a hit is, where it is and why it was found', async () => {
    const kb = await open();
    await kb.add('a.md', '# Coast\n\nThe old lighthouse stands\non the northern rock.\n\nGulls nest below it.\n', {
      lang: 'en',
    });
    const response = await search(kb, { text: 'lighthouse', mode: 'lexical' });
    expect(response).toMatchObject({ mode: 'lexical', degraded: [], next_cursor: null, truncated: false });
    const [hit] = response.hits;
    expect(hit).toMatchObject({
      rank: 1,
      score_kind: 'relevance',
      doc_path: 'a.md',
      source_id: 'default',
      media: 'markdown',
      lang: 'en',
      heading_path: ['Coast'],
      section_label: 'Coast',
      snippet: 'The old lighthouse stands on the northern rock.',
      snippet_full_text: true,
      citation: { kind: 'line', path: 'a.md', uri: 'a.md#L3-L4', start: 3, end: 4, section: 'Coast' },
      retrieval: { method: 'lexical', lexical_rank: 1, vector_score: null, vector_rank: null, fusion_score: null },
      embedding_model: null,
      freshness: 'fresh',
      stale: false,
      indexed_at: '2026-01-01T00:00:00.000Z',
    });
    expect(hit?.score).toBeGreaterThan(0.75);
    expect(hit?.score).toBeLessThanOrEqual(1);
    expect(hit).not.toHaveProperty('repo');
    expect(hit?.citation).not.toHaveProperty('source_id');
  });

  it('reports repository and language for code only, and the source of a citation outside the default', async () => {
    const kb = await open({ env: { KEBAB_WORKSPACE_SOURCES: '[{"id":"lib","root":"/nowhere"}]' } });
    await kb.add('src/a.rs', 'fn lighthouse() {}\n', {
      sourceId: 'lib',
      metadata: { repo: 'kebab', codeLang: 'rust' },
    });
    await kb.add('note.md', 'lighthouse\n', { metadata: { repo: 'kebab' } });
    const { hits } = await search(kb, 'lighthouse');
    const code = hits.find(({ media }) => media === 'code');
    expect(code).toMatchObject({
      repo: 'kebab',
      code_lang: 'rust',
      citation: {
        kind: 'code',
        uri: 'lib:src/a.rs#L1',
        line_start: 1,
        line_end: 1,
        symbol: null,
        lang: 'rust',
        source_id: 'lib',
      },
    });
    expect(hits.find(({ media }) => media === 'markdown')).not.toHaveProperty('repo');
  });

  it('hashes whole lines when a chunk begins and ends in the middle of one', async () => {
    const kb = await open();
    const cut = (text: string): readonly { start: number; end: number }[] => [{ start: 4, end: text.indexOf('lazy') }];
    await kb.add('a.md', 'the quick fox\nand the lazy dog\n', { cut });
    await kb.add('b.md', 'the quick fox\nand the lazy dog\n');
    const { hits } = await search(kb, 'quick');
    expect(hits.map(({ citation }) => citation.uri).toSorted()).toEqual(['a.md#L1-L2', 'b.md#L1-L2']);
    expect(hits[0]?.citation.content_hash).toBe(hits[1]?.citation.content_hash);
  });

  it.each(['', '   ', '-salt -pepper', '-"salt water"', '-"salt water" -fresh'])(
    'rejects the query %j',
    async (text) => {
      const kb = await open();
      await expect(search(kb, text)).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'query' } });
    },
  );

  it.each(['!!!', '"…"', '- -'])('finds nothing for %j, which contains no word', async (text) => {
    const kb = await open();
    await addNotes(kb, 3);
    expect((await search(kb, text)).hits).toEqual([]);
  });

  it('finds nothing in an empty knowledge base', async () => {
    expect((await search(await open(), 'salt')).hits).toEqual([]);
  });

  it('truncates snippets between characters, around the match', async () => {
    const kb = await open();
    const filler = '가족사진 👩‍👩‍👧 𠮷野家 '.repeat(40);
    await kb.add('a.md', `${filler}\n등대지기는 오래된 lighthouse 옆에 산다\n${filler}\n`);
    const { hits } = await search(kb, 'lighthouse', { snippetChars: 60 });
    const { snippet, snippet_full_text } = itemAt(hits, 0);
    expect(snippet).toContain('lighthouse');
    expect(snippet).toMatch(/^….*…$/su);
    expect(snippet_full_text).toBe(false);
    expect(charCount(snippet)).toBeLessThanOrEqual(60);
    expect(snippet).not.toMatch(/\p{Cs}/u);
  });

  it('applies filters before the top k', async () => {
    const kb = await open();
    await addNotes(kb, 30);
    await kb.add(
      'other/z.md',
      'a long text in which salt is one word among very many others that have nothing to do with it\n',
    );
    const { hits } = await search(kb, { text: 'salt', k: 1, filters: { pathGlob: ['other/*'] } });
    expect(hits.map(({ doc_path }) => doc_path)).toEqual(['other/z.md']);
  });

  it('throws cancelled when it was cancelled before it began', async () => {
    const kb = await open();
    const run = kb.search.search({ text: 'salt' }, { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ code: 'cancelled', details: { operation: 'search' } });
  });

  describe('pages', () => {
    it('have ranks that continue, and a cursor exactly while more follows', async () => {
      const kb = await open();
      await addNotes(kb, 12);
      const first = await search(kb, { text: 'salt', k: 6 });
      const second = await search(kb, { text: 'salt', k: 6 }, { cursor: first.next_cursor ?? '' });
      expect(second.hits.map(({ rank }) => rank)).toEqual([7, 8, 9, 10, 11, 12]);
      expect(second.next_cursor).toBeNull();
    });

    it('never repeat, skip or are empty, whatever their sizes and budgets', async () => {
      const kb = await open();
      await addNotes(kb, 40);
      const all = ids(await search(kb, { text: 'salt water', k: 100 }));
      const steps = fc.record({
        k: fc.integer({ min: 1, max: 15 }),
        maxTokens: fc.option(fc.nat({ max: 3000 }), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 40 }), fc.boolean(), async (sizes, cache) => {
          const service = kb.search;
          const seen: string[] = [];
          let cursor: string | null = null;
          for (let turn = 0; turn === 0 || cursor !== null; turn++) {
            const { k, maxTokens } = itemAt(sizes, turn % sizes.length);
            const page: SearchResponse = await service.search(
              { text: 'salt water', k },
              { cache, ...(maxTokens === undefined ? {} : { maxTokens }), ...(cursor === null ? {} : { cursor }) },
            );
            expect(page.hits.length).toBeGreaterThan(0);
            expect(page.hits[0]?.rank).toBe(seen.length + 1);
            seen.push(...ids(page));
            cursor = page.next_cursor;
          }
          expect(seen).toEqual(all);
        }),
        { numRuns: 25 },
      );
    });

    it('requested by number have the ranks of the whole list', async () => {
      const kb = await open();
      for (let note = 0; note < 7; note++) await kb.add(`${note}.md`, `salt ${'and water '.repeat(note)}\n`);
      const whole = await search(kb, { text: 'salt', k: 7 });
      const second = await search(kb, { text: 'salt', k: 3 }, { page: 2 });
      expect(second.hits.map(({ rank }) => rank)).toEqual([4, 5, 6]);
      expect(second.hits.map(({ chunk_id }) => chunk_id)).toEqual(
        whole.hits.slice(3, 6).map(({ chunk_id }) => chunk_id),
      );
      const third = await search(kb, { text: 'salt', k: 3 }, { cursor: second.next_cursor ?? '' });
      expect(third.hits.map(({ rank }) => rank)).toEqual([7]);
      expect((await search(kb, { text: 'salt', k: 3 }, { page: 9 })).hits).toEqual([]);
    });

    it.each([
      [{ page: 0 }, 'page'],
      [{ page: 334 }, 'page'],
      [{ page: 2, cursor: 'c' }, 'page'],
      [{ minScore: Number.NaN }, 'min_score'],
    ])('reject %j', async (options, field) => {
      const kb = await open();
      const failed = search(kb, { text: 'salt', k: 3 }, options);
      await expect(failed).rejects.toMatchObject({ code: 'invalid_input', details: { field } });
    });

    it('do not change the score of a hit', async () => {
      const kb = await open();
      await kb.add('a.md', 'The ferry leaves the northern harbour.\n', { lang: 'en' });
      await kb.add('b.md', 'A timetable hangs at the harbour.\n', { lang: 'en' });
      await kb.add('c.md', 'The timetable of trains.\n', { lang: 'en' });
      const scoresOf = async (k: number): Promise<readonly unknown[]> =>
        (await search(kb, { text: 'ferry harbour timetable', k })).hits.map(({ doc_path: path, score }) => [
          path,
          score,
        ]);
      const whole = await scoresOf(3);
      expect(await scoresOf(1)).toEqual(whole.slice(0, 1));
      expect(await scoresOf(2)).toEqual(whole.slice(0, 2));
    });

    it.each([
      ['every word in order', 'northern harbour ferry', 0.95, 1],
      ['one word of three', 'northern lamps carpets', 0, 0.5],
      ['the name of the file', 'quay.md', 0.95, 1],
    ])('score a hit with %s between bounds', async (_, text, min, max) => {
      const kb = await open();
      await kb.add('quay.md', 'The northern harbour ferry leaves at noon.\n', { lang: 'en' });
      for (const word of ['lamps', 'carpets']) await kb.add(`${word}.md`, `All about ${word}.\n`, { lang: 'en' });
      const hit = (await search(kb, { text, k: 3 })).hits.find(({ doc_path: path }) => path === 'quay.md');
      expect(hit?.score).toBeGreaterThanOrEqual(min);
      expect(hit?.score).toBeLessThanOrEqual(max);
    });

    it('exclude hits below a score, on every page', async () => {
      const kb = await open();
      for (let note = 0; note < 7; note++)
        await kb.add(`${note}.md`, note < 5 ? `salt and bread ${note}\n` : `salt and water ${note}\n`);
      const whole = await search(kb, { text: 'salt bread', k: 7 });
      const minScore = whole.hits[4]?.score ?? 0;
      const first = await search(kb, { text: 'salt bread', k: 3 }, { minScore });
      const second = await search(kb, { text: 'salt bread', k: 3 }, { minScore, cursor: first.next_cursor ?? '' });
      const left = [...first.hits, ...second.hits].map(({ score }) => score);
      expect(left.every((score) => score >= minScore)).toBe(true);
      expect(left).toHaveLength(whole.hits.filter(({ score }) => score >= minScore).length);
      expect(second.next_cursor).toBeNull();
      const other = search(kb, { text: 'salt bread', k: 3 }, { cursor: first.next_cursor ?? '' });
      await expect(other).rejects.toMatchObject({ code: 'invalid_input' });
    });

    it('reject a cursor after the corpus has changed', async () => {
      const kb = await open();
      await addNotes(kb, 5);
      const { next_cursor } = await search(kb, { text: 'salt', k: 2 });
      await kb.add('new.md', 'unrelated\n');
      await expect(search(kb, { text: 'salt', k: 2 }, { cursor: next_cursor ?? '' })).rejects.toMatchObject({
        code: 'stale_cursor',
        details: { reason: 'revision' },
      });
    });

    it.each<[string, SearchQuery]>([
      ['query', { text: 'water' }],
      ['mode', { text: 'salt', mode: 'lexical' }],
      ['filters', { text: 'salt', filters: { lang: ['und'] } }],
    ])('reject the cursor of another %s', async (_, query) => {
      const kb = await open();
      await addNotes(kb, 5);
      const { next_cursor } = await search(kb, { text: 'salt', k: 2 });
      await expect(search(kb, query, { cursor: next_cursor ?? '' })).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });

  describe('budget', () => {
    it('counts the whole compact response, cursor included, in characters', async () => {
      const kb = await open();
      for (let at = 0; at < 20; at++) await kb.add(`${at}.md`, `한국어 salt 😀 ${'텍스트 '.repeat(60)}${at}\n`);
      for (const maxTokens of [0, 200, 333, 1000, 2500, 10_000]) {
        const response = await search(kb, { text: 'salt', k: 20 }, { maxTokens });
        expect(response.hits.length).toBeGreaterThan(0);
        expect(response.hits.length === 1 || outputTokens(JSON.stringify(response)) <= maxTokens).toBe(true);
      }
      expect((await search(kb, 'salt', { maxTokens: 0 })).hits).toHaveLength(1);
    });

    it('puts the first dropped hit at the start of the next page', async () => {
      const kb = await open();
      await addNotes(kb, 10);
      const whole = await search(kb, 'salt');
      const cut = await search(kb, 'salt', { maxTokens: 900 });
      expect(cut).toMatchObject({ truncated: true });
      const next = await search(kb, 'salt', { cursor: cut.next_cursor ?? '' });
      expect([...ids(cut), ...ids(next)]).toEqual(ids(whole));
    });
  });

  describe('freshness', () => {
    it('reports changed and deleted files, and reads a file with only a new time', async () => {
      const kb = await open();
      for (const name of ['kept.md', 'touched.md', 'edited.md', 'longer.md', 'gone.md'])
        await kb.add(name, `salt ${name}\n`);
      utimesSync(join(kb.root, 'touched.md'), 1, 1);
      kb.putFile('edited.md', 'malt edited.md\n');
      utimesSync(join(kb.root, 'edited.md'), 1, 1);
      kb.putFile('longer.md', 'salt and more\n');
      rmSync(join(kb.root, 'gone.md'));
      const { hits, degraded } = await search(kb, { text: 'salt', mode: 'lexical' });
      expect(Object.fromEntries(hits.map(({ doc_path, freshness, stale }) => [doc_path, [freshness, stale]]))).toEqual({
        'kept.md': ['fresh', false],
        'touched.md': ['fresh', false],
        'edited.md': ['changed', true],
        'longer.md': ['changed', true],
        'gone.md': ['deleted', true],
      });
      expect(degraded).toEqual([]);
    });

    it('is checked again for a cached result', async () => {
      const kb = await open();
      await kb.add('a.md', 'salt\n');
      const service = kb.search;
      expect((await service.search({ text: 'salt' })).hits[0]?.freshness).toBe('fresh');
      rmSync(join(kb.root, 'a.md'));
      expect((await service.search({ text: 'salt' })).hits[0]?.freshness).toBe('deleted');
    });
  });

  it('returns one state of the corpus during concurrent changes', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt and more salt\n');
    const writer = await kb.store.openWriter({ waitMs: 0 });
    const changes = [
      sampleWrite('a.md', 'salt again\n'), // found, but gone when its text is read
      sampleWrite('b.md', 'salt\n'),
    ];
    const store = new Proxy(kb.store, {
      get(target, key) {
        if (key === 'getChunks')
          return async (wanted: readonly ChunkId[]) => {
            const found = await target.getChunks(wanted);
            const change = changes.shift();
            if (change !== undefined) await writer.transaction((tx) => tx.putDocument(change));
            return found;
          };
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
    const components = new FakeComponents({ document_store: { store }, lexical_index: { memory: kb.index } });
    const service = openSearcher({ ...kb.ports, ...componentPorts(components) });
    const { hits } = await service.search({ text: 'salt' });
    expect(Object.fromEntries(hits.map(({ doc_path, snippet }) => [doc_path, snippet]))).toEqual({
      'a.md': 'salt again',
      'b.md': 'salt',
    });
    expect(changes).toEqual([]);
  });

  it('calls its store and its index a handful of times, however many hits there are', async () => {
    const kb = await open();
    await addNotes(kb, 40);
    const callsFor = async (k: number): Promise<readonly string[]> => {
      const calls: string[] = [];
      const noting = <T extends object>(target: T): T =>
        new Proxy(target, {
          get: (_, key) => {
            const member: unknown = Reflect.get(target, key);
            if (typeof member !== 'function') return member;
            return (...args: readonly unknown[]): unknown => {
              const answer: unknown = Reflect.apply(member, target, args);
              if (answer instanceof Promise) calls.push(String(key));
              return answer;
            };
          },
        });
      const components = new FakeComponents({
        document_store: { noting: noting(kb.store) },
        lexical_index: { noting: noting(kb.index) },
      });
      const { hits } = await openSearcher({ ...kb.ports, ...componentPorts(components) }).search(
        { text: 'salt', mode: 'lexical', k },
        { cache: false },
      );
      expect(hits).toHaveLength(k);
      return calls;
    };
    const few = await callsFor(2);
    expect(few.length).toBeLessThan(10);
    expect(await callsFor(30)).toEqual(few);
  });

  describe('result cache', () => {
    const counting = (index: LexicalIndex): { index: LexicalIndex; count: () => number } => {
      let searches = 0;
      const proxy = new Proxy(index, {
        get(target, key) {
          if (key === 'search') searches++;
          const member: unknown = Reflect.get(target, key);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
      return { index: proxy, count: () => searches };
    };

    it('answers from the cache until the corpus changes, unless bypassed', async () => {
      const kb = await open();
      await addNotes(kb, 5);
      const { index, count } = counting(kb.index);
      const components = new FakeComponents({
        document_store: { memory: kb.store },
        lexical_index: { counted: index },
      });
      const service = openSearcher({ ...kb.ports, ...componentPorts(components) });
      const first = await service.search({ text: 'salt', k: 3 });
      const again = await service.search({ text: 'salt', k: 2 });
      expect(ids(again)).toEqual(ids(first).slice(0, 2));
      expect(count()).toBe(1);
      await service.search({ text: 'salt', k: 3 }, { cache: false });
      expect(count()).toBe(2);
      await kb.add('new.md', 'salt salt salt salt salt salt salt salt\n');
      expect((await service.search({ text: 'salt', k: 6 })).hits).toHaveLength(6);
      expect(count()).toBe(3);
    });
  });

  describe('with more requirements than any passage meets', () => {
    const filled = async (): Promise<KnowledgeBase> => {
      const kb = await open();
      await kb.add('close.md', 'The pump stalls at night because the valve freezes: a draft.\n');
      await kb.add('holds.md', 'Salt water, and nothing else, freezes late.\n');
      await kb.add('far.md', 'A valve of the other pump, also a draft.\n');
      return kb;
    };
    const paths = ({ hits }: SearchResponse): readonly string[] => hits.map(({ doc_path }) => doc_path);

    it('lists the requirements of a long query that were dropped', async () => {
      const kb = await filled();
      const text = 'why does the pump with a valve stall "valve freezes solid"';
      const response = await search(kb, { text, mode: 'lexical' }, { explain: true });
      expect(paths(response)[0]).toBe('close.md');
      expect(response.relaxed).toEqual({ phrases: ['valve freezes solid'], excluded: [] });
      expect(response.trace?.query).toMatchObject({ phrases: [], relaxed: { phrases: ['valve freezes solid'] } });
    });

    it('enforces requirements that a passage meets, after a plus, and in short queries', async () => {
      const kb = await filled();
      const held = await search(kb, { text: 'why does the pump with a valve stall "salt water"', mode: 'lexical' });
      expect(paths(held)).toEqual(['holds.md']);
      expect(held).not.toHaveProperty('relaxed');
      for (const text of ['why does the pump with a valve stall +"freezes solid"', 'pump valve "freezes solid"'])
        expect(await search(kb, { text, mode: 'lexical' })).toMatchObject({ hits: [] });
    });

    it('ranks passages with one of the phrases higher', async () => {
      const kb = await filled();
      const text = 'a valve in the pump was seen "salt water" "no such phrase"';
      expect(paths(await search(kb, { text, mode: 'lexical' }))[0]).toBe('holds.md');
    });

    it('drops exclusions last', async () => {
      const kb = await filled();
      const text = 'why does the other pump have a valve -freezes -draft -late';
      const response = await search(kb, { text, mode: 'lexical' });
      expect(response.relaxed).toEqual({ phrases: [], excluded: ['freezes', 'draft', 'late'] });
      expect(paths(response)).toContain('far.md');
      const both = await search(kb, { text: 'why does the pump with a valve "freezes solid" -draft', mode: 'lexical' });
      expect(both.relaxed).toEqual({ phrases: ['freezes solid'], excluded: [] });
      expect(paths(both)).toEqual(['holds.md']);
    });

    it('decides by what the filters admit, and equally on every page', async () => {
      const kb = await filled();
      const query = { text: 'why does the pump with a valve freeze "salt water"', mode: 'lexical' } as const;
      const filters = { pathGlob: ['{close,far}.md'] };
      const first = await search(kb, { ...query, filters, k: 1 });
      expect(first.relaxed?.phrases).toEqual(['salt water']);
      const second = await search(kb, { ...query, filters, k: 1 }, { cursor: first.next_cursor ?? '' });
      expect([...paths(first), ...paths(second)].toSorted()).toEqual(['close.md', 'far.md']);
      expect(second.relaxed).toEqual(first.relaxed);
    });
  });

  it('explains where each hit came from, and how the query was interpreted', async () => {
    const kb = await open();
    await addNotes(kb, 3);
    const { trace, hits } = await search(kb, { text: 'salt "and water" -pepper', mode: 'lexical' }, { explain: true });
    expect(trace?.lexical.map(({ chunk_id }) => chunk_id as ChunkId)).toEqual(hits.map(({ chunk_id }) => chunk_id));
    expect(trace).toMatchObject({
      vector: [],
      rrf_inputs: [],
      query: { terms: ['salt'], phrases: ['and water'], excluded: ['pepper'] },
    });
  });
});
