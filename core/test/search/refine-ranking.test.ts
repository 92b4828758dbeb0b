import { describe, expect, it } from 'vitest';
import type { ChunkId } from '../../src/domain/ids.ts';
import type { ChunkRank } from '../../src/search/chunk-rank.ts';
import { demoteDuplicates } from '../../src/search/refine-ranking.ts';
import { TextPrint } from '../../src/search/known-passages.ts';

const words = (count: number, prefix = 'word'): string =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`).join(' ');

/** Hits with these texts and scores 10, 9, 8 …, with duplicates moved down; by name. */
function setBack(texts: Readonly<Record<string, string>>): readonly ChunkRank[] {
  const passages = new Map<ChunkId, { readonly print: TextPrint; readonly isManuallyAdded: boolean }>();
  const entries = Object.entries(texts).map(([name, text], at): ChunkRank => {
    const chunkId = name as ChunkId;
    passages.set(chunkId, { print: new TextPrint(text), isManuallyAdded: name.startsWith('external') });
    return { chunkId, score: 10 - at, lexical: null, vector: null, fusionScore: null };
  });
  return demoteDuplicates(entries, passages);
}

const namesOf = (entries: readonly ChunkRank[]): readonly string[] => entries.map(({ chunkId }) => chunkId);

describe('demoteDuplicates', () => {
  it('moves a copy after everything else and links it to its original', () => {
    const text = words(60);
    const entries = setBack({ first: text, copy: text, other: words(60, 'other') });
    expect(namesOf(entries)).toEqual(['first', 'other', 'copy']);
    expect(entries[0]?.duplicates).toEqual(['copy']);
    expect(entries[2]).toMatchObject({ duplicateOf: 'first' });
  });

  it('keeps scores decreasing along the list', () => {
    const text = words(60);
    const entries = setBack({ first: text, copy: text, other: words(60, 'other') });
    expect(entries.map(({ score }) => score)).toEqual([10, 8, 8]);
  });

  it('shows the user’s file in place of a copy that was added by hand', () => {
    const text = words(60);
    const entries = setBack({ external: text, other: words(60, 'other'), file: text, external2: text });
    expect(namesOf(entries)).toEqual(['file', 'other', 'external', 'external2']);
    expect(entries[0]).toMatchObject({ score: 10, duplicates: ['external', 'external2'] });
    expect(entries.map(({ score }) => score)).toEqual([10, 9, 8, 7]);
  });

  it('ignores white space, case and punctuation', () => {
    const text = words(40);
    const entries = setBack({ first: text, copy: `  ${text.toUpperCase().replaceAll(' ', ',\n ')}.` });
    expect(entries[0]?.duplicates).toEqual(['copy']);
  });

  it('never groups short texts, however often they occur', () => {
    const entries = setBack({ a: 'The lighthouse.', b: 'The lighthouse.', c: 'The lighthouse.' });
    expect(namesOf(entries)).toEqual(['a', 'b', 'c']);
    expect(entries[0]?.duplicates).toBeUndefined();
  });

  it('compares texts without spaces by their characters', () => {
    const text = '今日は天気がとても良いので公園まで歩いて行きました。夕方には雨が降りました。';
    expect(setBack({ first: text, copy: text })[0]?.duplicates).toEqual(['copy']);
  });

  it('keeps the order of a list that consists only of copies, and loses none', () => {
    const text = words(60);
    const entries = setBack({ a: text, b: text, c: text, d: text });
    expect(namesOf(entries)).toEqual(['a', 'b', 'c', 'd']);
    expect(entries[0]?.duplicates).toEqual(['b', 'c', 'd']);
  });

  it('keeps copies of several originals in order', () => {
    const [x, y] = [words(60, 'x'), words(60, 'y')];
    expect(namesOf(setBack({ x1: x, y1: y, y2: y, x2: x, z: words(60, 'z') }))).toEqual(['x1', 'y1', 'z', 'y2', 'x2']);
  });
});
