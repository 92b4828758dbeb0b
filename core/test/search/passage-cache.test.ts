import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentWrite } from '../../src/contracts/document-store.ts';
import type { ChunkId } from '../../src/domain/ids.ts';
import { PassageCache, type PassageSource, TextPrint } from '../../src/search/passage-cache.ts';
import { sampleWrite } from '@kebab/testing';
import { storeOf } from '../kb/open-store.ts';

interface Counted extends PassageSource {
  readonly asked: ChunkId[][];
}

async function sourceOf(writes: readonly DocumentWrite[], revision = 1): Promise<Counted> {
  const store = await storeOf(...writes);
  const asked: ChunkId[][] = [];
  const getPassages: PassageSource['store']['getPassages'] = (ids) => {
    asked.push([...ids]);
    return store.getPassages(ids);
  };
  return { store: { getPassages }, revision, asked };
}

const writes = ['one', 'two', 'three'].map((word) => sampleWrite(`${word}.md`, `all about ${word}\n`));
const [one, two, three] = writes.map(({ chunks }) => chunks[0]?.chunkId) as [ChunkId, ChunkId, ChunkId];

describe('PassageCache', () => {
  it('reads only unknown passages', async () => {
    const source = await sourceOf(writes);
    const cache = new PassageCache();
    await cache.read([one, two], source);
    const found = await cache.read([three, one], source);
    expect([...found.values()].map(({ workspacePath }) => workspacePath).toSorted()).toEqual(['one.md', 'three.md']);
    expect(source.asked).toEqual([[one, two], [three]]);
  });

  it('returns the same print for a passage', async () => {
    const source = await sourceOf(writes);
    const cache = new PassageCache();
    const first = (await cache.read([one], source)).get(one)?.print;
    expect(first).toBeDefined();
    expect((await cache.read([one], source)).get(one)?.print).toBe(first);
  });

  it('keeps the text of source code only', async () => {
    const code = sampleWrite('a.ts', 'export const a = 1;\n');
    const source = await sourceOf([...writes, code]);
    const [{ chunkId: id } = { chunkId: one }] = code.chunks;
    const found = await new PassageCache().read([one, id], source);
    expect([found.get(one)?.code, found.get(id)?.code]).toEqual([null, 'export const a = 1;']);
    expect(found.get(one)?.print.words).toBe(3);
  });

  it('omits missing passages, and reads them again', async () => {
    const source = await sourceOf(writes.slice(0, 1));
    const cache = new PassageCache();
    expect([...(await cache.read([one, two], source)).keys()]).toEqual([one]);
    await cache.read([two], source);
    expect(source.asked).toEqual([[one, two], [two]]);
  });

  it('reads everything again at another corpus revision', async () => {
    const cache = new PassageCache();
    await cache.read([one], await sourceOf(writes, 1));
    const later = await sourceOf(writes, 2);
    await cache.read([one], later);
    expect(later.asked).toEqual([[one]]);
  });

  it('evicts the least recently used when it is full', async () => {
    const source = await sourceOf(writes);
    const cache = new PassageCache(2);
    for (const ids of [[one, two], [one], [three], [one], [two]]) await cache.read(ids, source);
    expect(source.asked).toEqual([[one, two], [three], [two]]);
  });
});

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `word${at}`);

describe('TextPrint', () => {
  it.each([
    ['The lamp, lit at night.', 5],
    ['서울의 날씨는', 2],
    ['東京の天気', 5],
    ['naïve café', 2],
    ['--- …', 0],
    ['', 0],
  ])('counts the words of %j: %i', (text, count) => {
    expect(new TextPrint(text).words).toBe(count);
  });

  it('treats every text as near-identical to itself', () => {
    fc.assert(fc.property(fc.string(), (text) => new TextPrint(text).isNearly(new TextPrint(text))));
  });

  it('is symmetric', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [a, b] = [new TextPrint(left), new TextPrint(right)];
        expect(a.isNearly(b)).toBe(b.isNearly(a));
      }),
    );
  });

  it('counts the shared runs of four words like a pairwise comparison', () => {
    const runsOf = (text: readonly string[]): readonly string[] =>
      text.slice(3).map((_, at) => text.slice(at, at + 4).join(' '));
    const changes = fc.array(fc.nat(119), { maxLength: 6 });
    fc.assert(
      fc.property(changes, fc.nat(40), (changed, cut) => {
        const before = words(120);
        const after = before.map((word, at) => (changed.includes(at) ? 'other' : word)).slice(0, 120 - cut);
        const [a, b] = [new Set(runsOf(before)), runsOf(after)];
        const shared = b.filter((run) => a.has(run)).length;
        const isNearly = shared >= 0.9 * (a.size + b.length - shared);
        const [left, right] = [new TextPrint(before.join(' ')), new TextPrint(after.join(' '))];
        expect(left.isNearly(right)).toBe(isNearly);
      }),
      { seed: 7 },
    );
  });

  it('has its threshold at a tenth of all runs of four words', () => {
    const text = words(200);
    const cut = (count: number): TextPrint => new TextPrint(text.slice(0, text.length - count).join(' '));
    expect(cut(0).isNearly(cut(15))).toBe(true);
    expect(cut(0).isNearly(cut(25))).toBe(false);
  });
});
