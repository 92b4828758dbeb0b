import { isKebabError, type DocumentId } from '@kebab/core';
import type { DocumentWrite } from '@kebab/core/store';
import { searchable, searchableWrite, type SearchableDocument } from '@kebab/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeQdrant, type FakeQdrant } from '../fake-qdrant.ts';
import { dimensionOf } from '../../src/words/word-points.ts';
import { openWords, type OpenWords } from './open-words.ts';

let server: FakeQdrant;
let words: OpenWords;
let isFailing = false;
beforeEach(async () => {
  isFailing = false;
  server = await startFakeQdrant({ fault: (method) => (isFailing && method === 'PUT' ? 'cut' : undefined) });
  words = await openWords(server.url);
});
afterEach(async () => {
  await words.close();
  await server.close();
});

const writeOf = (document: SearchableDocument): DocumentWrite =>
  searchableWrite(document, (material) => words.index.analyseChunk(material));

async function commit(...documents: readonly SearchableDocument[]): Promise<[DocumentId, ...DocumentId[]]> {
  const writes = documents.map(writeOf);
  await words.commit(writes);
  return writes.map(({ document }) => document.docId) as [DocumentId, ...DocumentId[]];
}

/** The paths of the hits, best first. */
async function find(query: string, filters = {}, limit = 10): Promise<readonly string[]> {
  const hits = await words.index.search(words.index.analyseQuery(query), filters, limit);
  const passages = await words.database.store.getPassages(hits.map(({ chunkId }) => chunkId));
  const pathOf = new Map(passages.map(({ chunkId, workspacePath }) => [chunkId, workspacePath]));
  return hits.map(({ chunkId }) => pathOf.get(chunkId) ?? 'gone');
}

describe('an index of words on Qdrant', () => {
  it('is not current between a commit and its update, and says so', async () => {
    await commit(searchable('a.md', 'the boiler was serviced'));
    expect(await words.index.isCurrent()).toBe(false);
    expect(await find('boiler')).toEqual([]);
    await words.update();
    expect(await words.index.isCurrent()).toBe(true);
    expect(await find('boiler')).toEqual(['a.md']);
  });

  it('never returns a document that was removed, nor the former words of one that changed', async () => {
    const [gone] = await commit(searchable('gone.md', 'copper pipe'), searchable('changed.md', 'copper wire'));
    await words.update();
    await words.remove([gone]);
    expect(await find('copper')).toEqual(['changed.md']);
    await commit(searchable('changed.md', 'steel wire'));
    await words.update();
    expect(await find('copper')).toEqual([]);
    expect(await find('steel')).toEqual(['changed.md']);
    expect((await words.index.termStats(['copper', 'wire'])).df).toEqual([0, 1]);
  });

  it('writes only the documents that a run has changed', async () => {
    await commit(...Array.from({ length: 40 }, (_, at) => searchable(`many/${at}.md`, `invoice number ${at}`)));
    await words.update();
    const since = await words.database.store.corpusRevision();
    const [added] = await commit(searchable('new.md', 'receipt'));
    const before = server.log.length;
    const { store } = words.database;
    await words.index.update({ documents: store, changes: { since, docIds: new Set([added]) } });
    const sent = server.bodies
      .slice(before)
      .flatMap((body) => (Array.isArray(body.points) ? (body.points as readonly { readonly payload?: object }[]) : []))
      .filter((point) => point.payload !== undefined && 'term' in point.payload);
    expect(sent).toHaveLength(1);
    expect(await find('receipt')).toEqual(['new.md']);
    expect(await find('invoice', {}, 50)).toHaveLength(40);
  });

  it('compares all documents where it does not know what has changed', async () => {
    const documents = Array.from({ length: 30 }, (_, at) => searchable(`note/${at}.md`, `garden bed ${at}`));
    const ids = await commit(...documents);
    await words.update();
    await words.remove(ids.slice(0, 5));
    await commit(searchable('note/7.md', 'orchard'), searchable('other.md', 'orchard'));
    const { store } = words.database;
    await words.index.update({ documents: store, changes: { since: 99, docIds: new Set() } });
    expect(await words.index.isCurrent()).toBe(true);
    expect(await find('garden', {}, 50)).toHaveLength(24);
    expect((await find('orchard')).toSorted()).toEqual(['note/7.md', 'other.md']);
  });

  it('goes on after an update that was cut off', async () => {
    await commit(searchable('first.md', 'harbour'));
    await words.update();
    await commit(searchable('second.md', 'harbour light'));
    isFailing = true;
    await expect(words.update()).rejects.toSatisfy((error) => isKebabError(error, 'vector_store_unreachable'));
    expect(await words.index.isCurrent()).toBe(false);
    expect(await find('harbour')).toEqual(['first.md']);
    isFailing = false;
    await words.update();
    expect((await find('harbour')).toSorted()).toEqual(['first.md', 'second.md']);
  });

  it.each([
    ['lost points', (points: Map<string, unknown>, id: string) => points.delete(id)],
    [
      'points of an older version of a document',
      (points: Map<string, unknown>, id: string) => {
        const point = points.get(id) as { payload: object };
        points.set(id, { ...point, payload: { ...point.payload, committed_at: 1 } });
      },
    ],
  ])('notices %s although no document has changed, and writes them again', async (_what, damage) => {
    await commit(...Array.from({ length: 12 }, (_, at) => searchable(`ship/${at}.md`, `rudder ${at}`)));
    await words.update();
    const [points] = [...server.collections.values()].map((collection) => collection.points as Map<string, unknown>);
    const [id = ''] = [...(points ?? [])].flatMap(([key, point]) =>
      'term' in (point as { payload: object }).payload ? [key] : [],
    );
    const before = structuredClone(points?.get(id));
    damage(points ?? new Map(), id);
    await words.update();
    expect(points?.get(id)).toEqual(before);
    expect(await find('rudder', {}, 20)).toHaveLength(12);
  });

  it('asks little of a server that holds everything', async () => {
    await commit(...Array.from({ length: 60 }, (_, at) => searchable(`ship/${at}.md`, `keel ${at}`)));
    await words.update();
    const before = server.log.length;
    await words.update();
    expect(server.log.length - before).toBeLessThanOrEqual(3);
  });

  it('is gone once it was dropped, and is made again', async () => {
    await commit(searchable('a.md', 'mast'));
    await words.update();
    await words.index.drop();
    await words.index.drop();
    expect([...server.collections.keys()]).toEqual([]);
    await words.update();
    expect(await find('mast')).toEqual(['a.md']);
  });

  it('computes its weights again when chunks have become longer', async () => {
    await commit(searchable('short.md', 'tide table'));
    await words.update();
    await commit(
      ...Array.from({ length: 20 }, (_, at) => searchable(`long/${at}.md`, `tide ${'water level '.repeat(60)}`)),
    );
    await words.update();
    const averages = [...server.collections.values()].flatMap(({ points }) =>
      [...points.values()].flatMap(({ payload }) => ('term' in payload ? [payload.average as number] : [])),
    );
    expect(new Set(averages).size).toBe(1);
    expect(averages[0]).toBeGreaterThan(60);
    expect((await find('tide'))[0]).toBe('short.md');
  });

  it('admits what has no excluded word, finds names, and lists its tokens', async () => {
    await commit(
      searchable('guide.md', ['text', { text: 'more', headingPath: ['Winter storage'] }], { title: 'Guide' }),
      searchable('log.md', 'winter came, storage was full'),
    );
    await words.update();
    const { phrases } = words.index.analyseQuery('"winter storage"');
    const named = await words.index.named(phrases, {}, 10);
    expect(named.map(({ headingPath }) => headingPath.join('/'))).toContain('Winter storage');
    const tokens = [...(await words.index.vocabulary({ beginning: 'stor' }))];
    expect(tokens).toEqual([{ token: 'storag', chunks: 2 }]);
    const admitted = await words.index.admitted(words.index.analyseQuery('x -winter'), {});
    expect(admitted?.size).toBe(1);
  });

  it('gives different terms different dimensions, evenly spread', () => {
    const terms = Array.from({ length: 100_000 }, (_, at) => `word${at.toString(36)}`);
    const dimensions = terms.map(dimensionOf);
    expect(new Set(dimensions).size).toBeGreaterThan(99_990);
    expect(dimensions.every((one) => Number.isInteger(one) && one >= 0 && one <= 0xffffffff)).toBe(true);
  });
});
