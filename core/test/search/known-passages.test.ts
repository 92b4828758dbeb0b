import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentWrite } from '../../src/contracts/document-store.ts';
import type { ChunkId } from '../../src/domain/ids.ts';
import { passageReader, TextPrint } from '../../src/search/known-passages.ts';
import { sampleWrite } from '@kebab/testing';
import { storeOf } from '../kb/open-store.ts';

const writes = ['one', 'two', 'three'].map((word) => sampleWrite(`${word}.md`, `all about ${word}\n`));
const [one, two, three] = writes.map(({ chunks }) => chunks[0]?.chunkId) as [ChunkId, ChunkId, ChunkId];

async function readerOver(...stored: readonly DocumentWrite[]) {
  const store = await storeOf(...stored);
  const asked: ChunkId[][] = [];
  const read = passageReader({
    getPassages: (ids) => {
      asked.push([...ids]);
      return store.getPassages(ids);
    },
  });
  return { read, asked };
}

describe('passageReader', () => {
  it('reads each passage once', async () => {
    const { read, asked } = await readerOver(...writes);
    await read([one, two]);
    const passages = await read([three, one]);
    expect([...passages.values()].map(({ workspacePath }) => workspacePath)).toEqual(['three.md', 'one.md']);
    expect(asked).toEqual([[one, two], [three]]);
  });

  it('has the text of source code only', async () => {
    const code = sampleWrite('a.ts', 'export const a = 1;\n');
    const { read } = await readerOver(...writes, code);
    const [{ chunkId: id } = { chunkId: one }] = code.chunks;
    const passages = await read([one, id]);
    expect([passages.get(one)?.code, passages.get(id)?.code]).toEqual([null, 'export const a = 1;']);
    expect(passages.get(one)?.print.words).toBe(3);
  });

  it('omits missing passages', async () => {
    const { read } = await readerOver(...writes.slice(0, 1));
    expect([...(await read([one, two])).keys()]).toEqual([one]);
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
