import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeReranker } from '@kebab/testing';
import type { SearchHit } from '../../src/wire/index.ts';
import { SearchResponseSchema } from '../../src/wire/search.ts';
import { openSearcher } from '../../src/search/search-documents.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const RERANKED = { KEBAB_MODELS_RERANK_PROVIDER: 'fake', KEBAB_MODELS_RERANK_MODEL: 'm' };
const long = (about: string): string => `${about} ${Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')}`;
const pathsOf = (hits: readonly SearchHit[]): readonly string[] => hits.map(({ doc_path }) => doc_path);

/** Reads a list in pages of these sizes, repeatedly, until it ends. */
async function readPages(kb: KnowledgeBase, text: string, sizes: readonly number[]): Promise<readonly SearchHit[]> {
  const { search } = kb;
  const all: SearchHit[] = [];
  for (let page = 0, cursor: string | null = null; ; page++) {
    const k = sizes[page % sizes.length] ?? 1;
    const options = { cache: page % 2 === 0, ...(cursor === null ? {} : { cursor }) };
    const { hits, next_cursor } = SearchResponseSchema.parse(await search.search({ text, k }, options));
    all.push(...hits);
    if (next_cursor === null) return all;
    cursor = next_cursor;
  }
}

describe('near-identical passages', () => {
  const open = openForTests();

  it('come after all others, and the best one reports their number and paths', async () => {
    const kb = await open();
    for (const path of ['a.md', 'b.md', 'c.md']) await kb.add(path, `${long('salt salt')} ${path}\n`);
    await kb.add('other.md', 'salt of the sea\n\nwater of the sea\n');
    const { hits } = SearchResponseSchema.parse(await kb.search.search({ text: 'salt' }));
    expect(pathsOf(hits)).toEqual(['other.md', 'a.md', 'b.md', 'c.md']);
    expect(hits[1]).toMatchObject({ duplicates: 2, duplicate_paths: ['b.md', 'c.md'] });
    expect(hits[2]).toMatchObject({ duplicate_of: hits[1]?.chunk_id });
  });

  it('are returned when nothing else matches, so that k hits are k hits', async () => {
    const kb = await open();
    for (const path of ['a.md', 'b.md', 'c.md']) await kb.add(path, `${long('salt')} ${path}\n`);
    expect((await kb.search.search({ text: 'salt', k: 3 })).hits).toHaveLength(3);
  });
});

describe('a reranker', () => {
  const open = openForTests();

  it('orders the first hits, sets their scores and reports its time', async () => {
    const kb = await open({ env: RERANKED, contributions: { reranker: { fake: new FakeReranker() } } });
    await kb.add('a.md', 'lighthouse lighthouse lighthouse\n');
    await kb.add('b.md', 'the old stone, and a lighthouse\n');
    const response = await kb.search.search({ text: 'old lighthouse -bread', mode: 'lexical' }, { explain: true });
    expect(SearchResponseSchema.parse(response)).toMatchObject({
      mode: 'lexical',
      degraded: [],
      hits: [
        { doc_path: 'b.md', score: 1, score_kind: 'rerank', retrieval: { rerank_rank: 1, rerank_score: 1 } },
        { doc_path: 'a.md', score: 0.5, retrieval: { method: 'lexical', rerank_rank: 2, rerank_score: 0.5 } },
      ],
      trace: {
        rerank: [
          { rank: 1, score: 1 },
          { rank: 2, score: 0.5 },
        ],
      },
    });
  });

  it('receives the query without exclusions and quote marks, with the headings of each passage', async () => {
    const reranker = new FakeReranker();
    const kb = await open({ env: RERANKED, contributions: { reranker: { fake: reranker } } });
    await kb.add('a.md', '# Coast\n\nThe old lighthouse.\n');
    await kb.search.search({ text: '"old lighthouse" -bread' });
    expect(reranker.calls).toMatchObject([
      { query: 'old lighthouse', items: [{ text: 'Coast\nThe old lighthouse.' }] },
    ]);
  });

  it('is left out when it fails, which is reported, and the order stays', async () => {
    const reranker = new FakeReranker();
    reranker.failure = new Error('out of memory');
    const kb = await open({ env: RERANKED, contributions: { reranker: { fake: reranker } } });
    await kb.add('a.md', 'lighthouse lighthouse lighthouse\n');
    await kb.add('b.md', 'the old stone, and a lighthouse\n');
    const response = await kb.search.search({ text: 'lighthouse', mode: 'lexical' });
    expect(pathsOf(response.hits)).toEqual(['a.md', 'b.md']);
    expect(response).toMatchObject({
      hits: [{ score_kind: 'relevance' }, { score_kind: 'relevance' }],
      degraded: [{ stage: 'rerank', reason: 'reranker_failed', hint: expect.stringContaining('out of memory') }],
    });
  });

  it('is reported in the same way when no plugin provides it', async () => {
    const kb = await open({ env: RERANKED });
    await kb.add('a.md', 'lighthouse\n');
    const { hits, degraded } = await kb.search.search({ text: 'lighthouse', mode: 'lexical' });
    expect(hits).toHaveLength(1);
    expect(degraded).toMatchObject([{ stage: 'rerank', reason: 'reranker_failed' }]);
  });

  it('is not called when the configuration names none', async () => {
    const reranker = new FakeReranker();
    const kb = await open({ contributions: { reranker: { fake: reranker } } });
    await kb.add('a.md', 'lighthouse\n');
    await kb.search.search({ text: 'lighthouse' });
    expect(reranker.calls).toEqual([]);
  });

  it('makes a cursor stale when it has since failed; a list that began without one continues without', async () => {
    const reranker = new FakeReranker();
    const kb = await open({ env: RERANKED, contributions: { reranker: { fake: reranker } } });
    for (const name of ['a.md', 'b.md', 'c.md']) await kb.add(name, `salt ${name}\n`);
    const { next_cursor: with_ } = await kb.search.search({ text: 'salt', k: 1 });
    reranker.failure = new Error('gone');
    const { search } = kb;
    await expect(search.search({ text: 'salt', k: 1 }, { cursor: with_ ?? '' })).rejects.toMatchObject({
      code: 'stale_cursor',
      details: { reason: 'stages', expected: 'lexical', found: 'lexical+rerank' },
    });
    const { next_cursor: without } = await search.search({ text: 'salt', k: 1 });
    reranker.failure = null;
    const next = await search.search({ text: 'salt', k: 1 }, { cursor: without ?? '' });
    expect(next.hits).toMatchObject([{ rank: 2, score_kind: 'relevance' }]);
  });
});

describe('a cursor of a reranked list', () => {
  const open = openForTests();

  it.each([
    ['there is no reranker', { provider: 'none' }, 'by a reranker, but there is none now'],
    [
      'another number of hits is reranked',
      { topN: 2 },
      'by a different reranker than the one now in use, or with different',
    ],
  ])('is stale once %s', async (_, change, message) => {
    const kb = await open({ env: RERANKED, contributions: { reranker: { fake: new FakeReranker() } } });
    for (const name of ['a.md', 'b.md', 'c.md']) await kb.add(name, `salt ${name}\n`);
    const { next_cursor } = await kb.search.search({ text: 'salt', k: 1 });
    const { models } = kb.config;
    const config = { ...kb.config, models: { ...models, rerank: { ...models.rerank, ...change } } };
    const again = openSearcher({ ...kb.ports, config }).search({ text: 'salt', k: 1 }, { cursor: next_cursor ?? '' });
    await expect(again).rejects.toMatchObject({
      code: 'stale_cursor',
      message: expect.stringContaining(message),
      details: { reason: 'stages' },
    });
  });
});

describe('pages of a list whose beginning is reordered', () => {
  const open = openForTests();

  it('are slices of one list, whatever their sizes', async () => {
    const kb = await open({
      env: { ...RERANKED, KEBAB_MODELS_RERANK_TOP_N: '20' },
      contributions: { reranker: { fake: new FakeReranker() } },
    });
    for (let at = 0; at < 70; at++) {
      const text = at % 3 === 0 ? `${long('salt')} ${at}` : `salt ${'salt '.repeat(at % 5)}and water number ${at}`;
      await kb.add(`n${String(at).padStart(2, '0')}.md`, `${text}\n`);
    }
    const whole = await readPages(kb, 'salt water', [100]);
    expect(new Set(whole.map(({ chunk_id }) => chunk_id)).size).toBe(70);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 }), async (sizes) => {
        expect((await readPages(kb, 'salt water', sizes)).map(({ chunk_id }) => chunk_id)).toEqual(
          whole.map(({ chunk_id }) => chunk_id),
        );
      }),
      { numRuns: 8 },
    );
  });
});

describe('a query of plain words over code and texts', () => {
  const open = openForTests();

  const filled = async (): Promise<KnowledgeBase> => {
    const kb = await open();
    for (let at = 0; at < 80; at++)
      await kb.add(`src/lamp${at}.ts`, `/** Replaces a lamp ${at}. */ replaceLamp(lamp); lamp.replace();\n`, {
        metadata: { codeLang: 'typescript' },
      });
    await kb.add(
      'manual/lamps.md',
      '# Lamps\n\nTo replace a lamp, unplug it first, wait until it is cold, and turn it to the left.\n',
    );
    return kb;
  };

  it.each(['how do I replace a lamp', 'replace a lamp', 'when must the lamp be replaced?'])(
    'has a text first for %j, however many units of code come before it by words',
    async (text) => {
      expect(pathsOf(await readPages(await filled(), text, [10]))[0]).toBe('manual/lamps.md');
    },
  );

  it('has every hit once, and none that the filters exclude', async () => {
    const kb = await filled();
    const hits = await readPages(kb, 'how do I replace a lamp', [30]);
    expect(new Set(pathsOf(hits)).size).toBe(81);
    expect(new Set(hits.map(({ chunk_id: id }) => id)).size).toBe(hits.length);
    const response = await kb.search.search({ text: 'how do I replace a lamp', filters: { media: ['code'] } });
    expect(pathsOf(response.hits)).not.toContain('manual/lamps.md');
  });

  it.each(['replaceLamp', 'lamp.replace()'])('has code first for the name %s', async (text) => {
    expect(pathsOf(await readPages(await filled(), text, [10]))[0]).toMatch(/^src/);
  });
});

describe('passages that are the same or touch', () => {
  const open = openForTests();

  it.each([
    ['zebra linter', 'AGENTS.md', ['.github/instructions.md', 'CLAUDE.md']],
    ['run the linter always', 'AGENTS.md', ['.github/instructions.md', 'CLAUDE.md']],
  ])('of byte-identical files count once for %j, and name the others', async (text, shown, others) => {
    const kb = await open();
    for (const path of ['.github/instructions.md', 'CLAUDE.md', 'AGENTS.md'])
      await kb.add(path, 'Always run the zebra linter.\n');
    await kb.add('other.md', 'Always run the zebra linter, twice.\n');
    const { hits } = SearchResponseSchema.parse(await kb.search.search({ text }));
    expect(hits.filter(({ doc_path: path }) => path !== 'other.md')).toMatchObject([
      { doc_path: shown, also_at: others },
    ]);
  });

  it('are found where a filter leaves one of them', async () => {
    const kb = await open();
    for (const path of ['deep/er/a.md', 'b.md']) await kb.add(path, 'Always run the zebra linter.\n');
    const { hits } = await kb.search.search({ text: 'path:deep zebra' });
    expect(hits).toMatchObject([{ doc_path: 'deep/er/a.md' }]);
    expect(hits[0]).not.toHaveProperty('also_at');
  });

  it('leave as many hits as were requested if there are as many', async () => {
    const kb = await open();
    for (let at = 0; at < 60; at++) await kb.add(`copy/${at}.md`, 'kiln kiln kiln\n');
    for (let at = 0; at < 12; at++)
      await kb.add(`own/${at}.md`, `A kiln of its own, number ${at}, in a longer text.\n`);
    const { hits } = await kb.search.search({ text: 'kiln', k: 10 });
    expect(hits).toHaveLength(10);
    expect(hits[0]?.also_at).toHaveLength(29);
  });

  it('of one long file do not hide other documents, however many there are', async () => {
    const kb = await open();
    const sections = Array.from({ length: 80 }, (_, at) => `# Kiln ${at}\n\nThe kiln number ${at} is a kiln.\n`);
    await kb.add('long.md', sections.join('\n'));
    for (let at = 0; at < 7; at++) await kb.add(`${at}.md`, `In year ${at} somebody lit a fire beside a kiln.\n`);
    const { hits } = await kb.search.search({ text: 'kiln', k: 10 });
    expect(pathsOf(hits).filter((path) => path === 'long.md')).toHaveLength(3);
  });

  it.each([{ text: 'C++' }, { text: 'C++', literal: true }])(
    'have what %j asks for before those whose title has it',
    async (query) => {
      const kb = await open();
      for (let at = 0; at < 5; at++)
        await kb.add(`${at}.md`, `The C of page ${at}.\n`, { title: `C++ guide, page ${at}` });
      await kb.add(
        'notes.md',
        'A list of languages at work, with some words about each of them, and C++ among the others.\n',
      );
      const { hits } = await kb.search.search(query);
      expect(hits[0]?.doc_path).toBe('notes.md');
    },
  );

  it('are one hit, which cites all of their lines, within a section', async () => {
    const kb = await open();
    const section = 'The kiln heats.\n\nThe kiln holds.\n\nThe kiln cools.\n';
    await kb.add('firing.md', `# Firing\n\n${section}\n# Glazing\n\nA kiln shelf.\n`);
    const { hits } = await kb.search.search({ text: 'kiln' });
    expect(hits.map(({ citation }) => citation.uri).toSorted()).toEqual(['firing.md#L11', 'firing.md#L3-L7']);
    const [, found] = [...hits].toSorted((a, b) => a.citation.uri.localeCompare(b.citation.uri));
    expect(found?.citation.content_hash).toMatch(/^[0-9a-f]{16}$/);
    const { response } = await kb.search.retrieve({ text: 'kiln' });
    expect(response.hits).toHaveLength(4);
  });

  it('stay apart in source code, whose units are answers of their own', async () => {
    const kb = await open();
    await kb.add('kiln.ts', 'heatKiln(kiln)\n\ncoolKiln(kiln)\n', { metadata: { codeLang: 'typescript' } });
    expect((await kb.search.search({ text: 'kiln' })).hits).toHaveLength(2);
  });
});
