import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextSlice } from '../../src/contracts/document-store.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { LineIndex } from '../../src/domain/span.ts';
import { type DesignatedText, readDesignated } from '../../src/citation/read-designated.ts';

const docId = 'a' as DocumentId;

const lines = (text: string, start: number, end: number): DesignatedText => ({
  docId,
  textLength: text.length,
  range: { start, end },
  isWholeLines: true,
});

const linesOf = async (text: string, start: number, end: number): Promise<string | undefined> => {
  const read = async (slices: readonly TextSlice[]): Promise<readonly string[]> =>
    slices.map((slice) => text.slice(slice.start, slice.end));
  const [designated] = await readDesignated(read, [lines(text, start, end)]);
  return designated;
};

describe('readDesignated', () => {
  it.each([
    { text: 'one\ntwo\nthree', start: 5, end: 6, found: 'two' },
    { text: 'one\ntwo\nthree', start: 5, end: 9, found: 'two\nthree' },
    { text: 'one\ntwo\nthree\n', start: 8, end: 14, found: 'three' },
    { text: 'one\ntwo\n', start: 0, end: 4, found: 'one' },
    { text: 'one', start: 0, end: 3, found: 'one' },
    { text: '', start: 0, end: 0, found: '' },
  ])('reads the whole lines $found for [$start, $end) of $text', async ({ text, start, end, found }) => {
    expect(await linesOf(text, start, end)).toBe(found);
  });

  it('reads whole lines that are longer than its first window', async () => {
    const long = 'x'.repeat(10_000);
    expect(await linesOf(`a\n${long}\nb`, 5000, 5001)).toBe(long);
  });

  it('reads the same whole lines that a line index counts', async () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', ' '), { minLength: 1, maxLength: 60 })
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(texts, fc.nat(), fc.nat(), async (text, a, b) => {
        const start = a % text.length;
        const end = start + 1 + (b % (text.length - start));
        const { start: first, end: last } = new LineIndex(text).linesOf(start, end);
        expect(await linesOf(text, start, end)).toBe(
          text
            .split('\n')
            .slice(first - 1, last)
            .join('\n'),
        );
      }),
    );
  });

  it('reads all texts at once, and once more for those whose lines extend further', async () => {
    const texts = new Map([
      ['short', 'one\ntwo\n'],
      ['long', `${'x'.repeat(1000)}\n`],
      ['page', 'exactly this, and no more'],
    ]);
    const asked: (readonly string[])[] = [];
    const read = async (slices: readonly TextSlice[]): Promise<readonly string[]> => {
      asked.push(slices.map((slice) => slice.docId));
      return slices.map((slice) => (texts.get(slice.docId) ?? '').slice(slice.start, slice.end));
    };
    const of = (id: string, start: number, end: number, isWholeLines: boolean): DesignatedText => {
      const textLength = texts.get(id)?.length ?? 0;
      return { docId: id as DocumentId, textLength, range: { start, end }, isWholeLines };
    };
    const designated = [of('short', 5, 6, true), of('long', 500, 501, true), of('page', 0, 12, false)];
    expect(await readDesignated(read, designated)).toEqual(['two', 'x'.repeat(1000), 'exactly this']);
    expect(asked).toEqual([['short', 'long', 'page'], ['long']]);
  });
});
