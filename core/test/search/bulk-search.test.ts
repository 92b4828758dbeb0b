import { describe, expect, it } from 'vitest';
import { bulkSearch } from '../../src/search/bulk-search.ts';
import type { BulkSearchItem } from '../../src/wire/index.ts';
import { BulkSearchItemSchema } from '../../src/wire/bulk-search.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const collect = async (items: AsyncIterable<BulkSearchItem>): Promise<readonly BulkSearchItem[]> => {
  const all: BulkSearchItem[] = [];
  for await (const item of items) all.push(BulkSearchItemSchema.parse(item));
  return all;
};

describe('bulkSearch', () => {
  const open = openForTests();

  it('answers in order, and a failing query fills its own error', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    const service = kb.search;
    const queries = [
      { query: 'salt' },
      'not json',
      '{"query":"salt","qq":1}',
      '[]',
      { query: ' ' },
      '{"query":"none"}',
    ];
    const items = await collect(bulkSearch((...asked) => service.search(...asked), queries));
    expect(items.map(({ query, response, error }) => [query, response?.hits.length, error?.code])).toEqual([
      [{ query: 'salt' }, 1, undefined],
      [null, undefined, 'invalid_input'],
      [{ query: 'salt', qq: 1 }, undefined, 'invalid_input'],
      [null, undefined, 'invalid_input'],
      [{ query: ' ' }, undefined, 'invalid_input'],
      [{ query: 'none' }, 0, undefined],
    ]);
  });

  it('answers a query that is nested too deeply to serialise with an error, without an echo', async () => {
    const nested = `{"query":"x","tag":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const [item] = await collect(bulkSearch(() => Promise.reject(new Error('not to be asked')), [nested]));
    expect(item).toMatchObject({ query: null, error: { code: 'invalid_input' } });
  });

  it('runs nothing when there are more than a hundred queries', async () => {
    let runs = 0;
    const search = async (): Promise<never> => {
      runs++;
      throw new Error('it ran');
    };
    const queries = Array.from({ length: 101 }, () => ({ query: 'salt' }));
    await expect(collect(bulkSearch(search, queries))).rejects.toMatchObject({
      code: 'invalid_input',
      details: { value: '101' },
    });
    expect(runs).toBe(0);
  });

  it('stops when it is cancelled, without an item for the query in progress', async () => {
    const controller = new AbortController();
    const search = async (): Promise<never> => {
      controller.abort();
      throw controller.signal.reason;
    };
    const items = bulkSearch(search, [{ query: 'a' }, { query: 'b' }], { signal: controller.signal });
    await expect(collect(items)).rejects.toMatchObject({ code: 'cancelled' });
  });
});
