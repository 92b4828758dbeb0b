import { readFileSync } from 'node:fs';
import { analyseQuery } from '@kebab/plugin';
import { declareSuite, manifestFrom, pluginSuites, sampleWrite, storeWith } from '@kebab/plugin/testing';
import { describe, expect, it } from 'vitest';
import { createGrepRetriever } from '../src/grep-retriever.ts';
import plugin from '../src/index.ts';

const manifest = manifestFrom(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

for (const suite of pluginSuites({ plugin, manifest })) declareSuite(suite, { describe, it });

describe('grep', () => {
  it('takes a regular expression between slashes, and finds nothing for one that matches the empty string', async () => {
    const documents = [
      sampleWrite('a.md', 'call fetchAll(1)\n\nno calls\n'),
      sampleWrite('b.md', 'fetchOne(2), fetchAll(3)\n'),
    ];
    const store = await storeWith(documents);
    const retriever = createGrepRetriever(async () => store);
    const find = async (text: string) => {
      const ranking = await retriever.retrieve({ query: analyseQuery(text), filters: {}, limit: 10 });
      const found = await store.getChunks(ranking.map(({ chunkId }) => chunkId));
      return found.map(({ document }, at) => [document.workspacePath, ranking[at]?.score]);
    };
    expect(await find('/fetch\\w+\\(\\d/')).toEqual([
      ['b.md', 2],
      ['a.md', 1],
    ]);
    expect(await find('/x*/')).toEqual([]);
    expect(await find('/(/')).toEqual([]);
  });
});
