import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listDocuments, type ListPage } from '../../src/admin/list-docs.ts';
import type { SearchFilters } from '../../src/domain/query.ts';
import { outputTokens } from '../../src/domain/text-size.ts';
import { DocListSchema } from '../../src/wire/inspect.ts';
import type { DocList } from '../../src/wire/index.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const list = async (kb: KnowledgeBase, filters: SearchFilters = {}, page: ListPage = {}): Promise<DocList> => {
  return DocListSchema.parse(await listDocuments(kb.ports, filters, page));
};

const paths = ({ docs }: DocList): readonly string[] => docs.map(({ doc_path }) => doc_path);

describe('listDocuments', () => {
  const open = openForTests();
  const openWith = async (...names: readonly string[]): Promise<KnowledgeBase> => {
    const kb = await open();
    for (const name of names) await kb.add(name, `in ${name}\n\nmore\n`);
    return kb;
  };

  it('returns a summary of each document', async () => {
    const kb = await open();
    await kb.add('a.md', 'one\n\ntwo\n', { lang: 'en', metadata: { tags: ['t'], trustLevel: 'secondary' } });
    expect(await list(kb)).toMatchObject({
      total: 1,
      next_cursor: null,
      docs: [
        {
          doc_path: 'a.md',
          source_id: 'default',
          media: 'markdown',
          title: 'a',
          lang: 'en',
          tags: ['t'],
          trust_level: 'secondary',
          byte_len: 9,
          chunk_count: 2,
          freshness: 'fresh',
          stale: false,
        },
      ],
    });
  });

  it('orders by source and path, in code points', async () => {
    const kb = await openWith('b.md', 'a/c.md', 'B.md', '\u{1F600}.md', '\uFFFD.md');
    expect(paths(await list(kb))).toEqual(['B.md', 'a/c.md', 'b.md', '\uFFFD.md', '\u{1F600}.md']);
  });

  it('returns every document exactly once across all pages', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `${String.fromCodePoint(97 + at)}.md`);
    const kb = await openWith(...names);
    const seen: string[] = [];
    for (
      let page = await list(kb, {}, { limit: 4 });
      ;
      page = await list(kb, {}, { limit: 4, cursor: page.next_cursor ?? '' })
    ) {
      expect(page.total).toBe(11);
      seen.push(...paths(page));
      if (page.next_cursor === null) break;
    }
    expect(seen).toEqual(names);
  });

  it('respects a budget, and continues after what fitted', async () => {
    const kb = await openWith('a.md', 'b.md', 'c.md', 'd.md');
    const page = await list(kb, {}, { maxTokens: 300 });
    expect(page.docs.length).toBeGreaterThan(0);
    expect(page.docs.length).toBeLessThan(4);
    expect(outputTokens(JSON.stringify(page))).toBeLessThanOrEqual(300);
    const rest = await list(kb, {}, { cursor: page.next_cursor ?? '' });
    expect([...paths(page), ...paths(rest)]).toEqual(['a.md', 'b.md', 'c.md', 'd.md']);
    expect(paths(await list(kb, {}, { maxTokens: 0 }))).toEqual(['a.md']);
  });

  it('filters, and rejects the cursor of another filter and of an earlier revision', async () => {
    const kb = await openWith('a.md', 'b.txt', 'c.md');
    expect(paths(await list(kb, { media: ['markdown'] }))).toEqual(['a.md', 'c.md']);
    const { next_cursor } = await list(kb, { media: ['markdown'] }, { limit: 1 });
    await expect(list(kb, {}, { cursor: next_cursor ?? '' })).rejects.toMatchObject({ code: 'invalid_input' });
    await kb.add('d.md', 'new\n');
    const again = list(kb, { media: ['markdown'] }, { cursor: next_cursor ?? '' });
    await expect(again).rejects.toMatchObject({ code: 'stale_cursor' });
  });

  it('marks documents whose file is gone as deleted', async () => {
    const kb = await openWith('a.md');
    rmSync(join(kb.root, 'a.md'));
    expect((await list(kb)).docs).toMatchObject([{ freshness: 'deleted', stale: true }]);
  });

  it.each([{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { maxTokens: -1 }, { cursor: 'junk' }])(
    'rejects %j',
    async (page) => {
      await expect(list(await open(), {}, page)).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );
});
