import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SearchOptions, SearchQuery } from '../../src/requests/search.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

describe('a query of filters alone', () => {
  const open = openForTests();

  const filled = async (): Promise<KnowledgeBase> => {
    const kb = await open();
    const add = (path: string, text: string, date: string, tags: readonly string[] = []) =>
      kb.add(path, text, { metadata: { tags, updatedAt: new Date(date) } });
    await add('journal/monday.md', '# Monday\n\nRain.\n\n## Evening\n\nTea.\n', '2025-12-30T10:00:00Z', ['log']);
    await add('journal/friday.md', '# Friday\n\nSun.\n', '2026-01-01T08:00:00Z', ['log']);
    await add('app/[slug]/page.tsx', 'export const page = 1;\n', '2020-05-05T00:00:00Z');
    await add('old.md', '# Old\n\nDust.\n', '2019-01-01T00:00:00Z', ['log/past']);
    return kb;
  };
  const paths = async (kb: KnowledgeBase, query: SearchQuery, options: SearchOptions = {}): Promise<unknown> =>
    (await kb.search.search(query, options)).hits.map(({ doc_path }) => doc_path);

  it.each([
    ['tag:log', ['journal/friday.md', 'journal/monday.md', 'old.md']],
    ['path:journal/', ['journal/friday.md', 'journal/monday.md']],
    ['since:1w', ['journal/friday.md', 'journal/monday.md']],
    ['until:2019', ['old.md']],
    ['tag:log until:2025-12-31', ['journal/monday.md', 'old.md']],
    ['type:tsx', ['app/[slug]/page.tsx']],
    ['path:[slug]', ['app/[slug]/page.tsx']],
    ['path:"default:old.md"', ['old.md']],
    ['path:journal/monday.md#L3', ['journal/monday.md']],
    ['tag:nothing', []],
    ['tag:log -tea', ['journal/friday.md', 'old.md']],
    ['tag:log -"sun" -dus*', ['journal/monday.md']],
  ])('lists the documents of %j once each, newest first', async (text, expected) => {
    expect(await paths(await filled(), { text })).toEqual(expected);
  });

  it.each([
    'app/[slug]',
    'app/[slug]/page.tsx',
    'default:app/[slug]/*.tsx',
    'app/*/page.tsx',
    'app/[slug]/page.tsx#L1',
    'page.tsx',
    '*.tsx',
    '*.{ts,tsx}',
    'default:*.tsx',
    '[slug]',
  ])('takes %j as a glob for the file that is named so', async (glob) => {
    const kb = await filled();
    expect(await paths(kb, { text: '', filters: { pathGlob: [glob] } })).toEqual(['app/[slug]/page.tsx']);
  });

  it.each(['default:page.tsx', './page.tsx', './*.tsx', 'page.tsx#L1', '[slug]/'])(
    'takes %j as a path from the top',
    async (glob) => expect(await paths(await filled(), { text: '', filters: { pathGlob: [glob] } })).toEqual([]),
  );

  it('takes absolute paths, of files, folders and with wildcards', async () => {
    const kb = await filled();
    const at = (path: string) => paths(kb, { text: 'tag:log', filters: { pathGlob: [join(kb.root, path)] } });
    expect(await at('old.md')).toEqual(['old.md']);
    expect(await at('journal')).toEqual(['journal/friday.md', 'journal/monday.md']);
    expect(await at('*/monday.*')).toEqual(['journal/monday.md']);
  });

  it('goes on page by page, whatever the mode', async () => {
    const kb = await filled();
    for (const mode of ['lexical', 'vector', 'hybrid'] as const) {
      const first = await kb.search.search({ text: 'tag:log', k: 2, mode });
      expect(first).toMatchObject({ mode: 'lexical', hits: [{ rank: 1 }, { rank: 2 }] });
      const cursor = first.next_cursor ?? undefined;
      expect(await paths(kb, { text: 'tag:log', k: 2, mode }, { cursor })).toEqual(['old.md']);
    }
  });

  it('leaves out the documents with excluded words beside filters of the request too', async () => {
    const kb = await filled();
    const { hits, facets } = await kb.search.search(
      { text: '-tea -dust', filters: { tag: ['log'] }, k: 1 },
      { facets: true },
    );
    expect([hits.map(({ doc_path }) => doc_path), facets?.documents]).toEqual([['journal/friday.md'], 1]);
  });

  it.each(['-tea -dust', '-tag:log -tea'])('rejects %j, which only says what must not occur', async (text) => {
    await expect(paths(await filled(), { text })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('rejects a query without words and without filters', async () => {
    const kb = await filled();
    await expect(kb.search.search({ text: ' ' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
