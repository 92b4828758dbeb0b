import { describe, expect, it } from 'vitest';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
import type { ChunkRank } from '../../src/search/chunk-rank.ts';
import { TextPrint } from '../../src/search/passage-cache.ts';
import { orderByKind } from '../../src/search/passage-kind.ts';
import { spreadDocuments } from '../../src/search/refine-ranking.ts';

const entry = (id: string, score: number): ChunkRank => ({
  chunkId: id as ChunkId,
  score,
  lexical: { rank: 1, score },
  vector: null,
  fusionScore: null,
});
const ids = (entries: readonly ChunkRank[]): string => entries.map(({ chunkId }) => chunkId).join(' ');

describe('spreadDocuments', () => {
  const entries = Array.from({ length: 24 }, (_, at) => entry(`${at < 12 ? 'a' : `b${at}`}-${at}`, 100 - at));
  const passages = new Map(
    entries.map(({ chunkId }) => [
      chunkId,
      { docId: (chunkId.split('-')[0] ?? '') as DocumentId, media: 'markdown' } as const,
    ]),
  );

  it('shows no more passages of a document in ten than requested, and loses none', () => {
    const spread = spreadDocuments(entries, passages, 3);
    expect(spread.slice(0, 10).filter(({ chunkId }) => chunkId.startsWith('a')).length).toBe(3);
    expect(spread.map(({ chunkId }) => chunkId).toSorted()).toEqual(entries.map(({ chunkId }) => chunkId).toSorted());
  });

  it('counts the other passages of a document on the last one that it shows', () => {
    const spread = spreadDocuments(entries, passages, 3);
    expect(
      spread.filter(({ moreInDoc }) => moreInDoc !== undefined).map(({ chunkId, moreInDoc }) => [chunkId, moreInDoc]),
    ).toEqual([['a-2', 9]]);
  });

  it('leaves the order as it is when the only document has more', () => {
    const own = entries.slice(0, 12);
    expect(ids(spreadDocuments(own, passages, 3))).toBe(ids(own));
  });
});

describe('orderByKind', () => {
  it('ranks a list of links below a text that answers nearly as well', () => {
    const print = new TextPrint('some words that make up a passage of a text about pumps');
    const passages = new Map([
      [
        'links' as ChunkId,
        { kind: 'links', print, media: 'markdown', docId: 'd1' as DocumentId, sectionLabel: 'Pumps' } as const,
      ],
      [
        'text' as ChunkId,
        { kind: 'content', print, media: 'markdown', docId: 'd1' as DocumentId, sectionLabel: 'Pumps' } as const,
      ],
      [
        'far' as ChunkId,
        { kind: 'content', print, media: 'markdown', docId: 'd1' as DocumentId, sectionLabel: 'Pumps' } as const,
      ],
    ]);
    const entries = [entry('links', 1), entry('text', 0.8), entry('far', 0.2)];
    expect(ids(orderByKind(entries, passages, { isCosine: false, query: { embeddingText: 'pumps' } }))).toBe(
      'text links far',
    );
  });

  it('ranks prose above source code for a question in plain words, and not for a name', () => {
    const print = new TextPrint('some words that make up a passage of a text about pumps');
    const passages = new Map([
      [
        'code' as ChunkId,
        { kind: 'content', print, media: 'code', docId: 'd2' as DocumentId, sectionLabel: 'prime' } as const,
      ],
      [
        'text' as ChunkId,
        { kind: 'content', print, media: 'markdown', docId: 'd1' as DocumentId, sectionLabel: 'Pumps' } as const,
      ],
    ]);
    const ordered = (embeddingText: string): string =>
      ids(orderByKind([entry('code', 1), entry('text', 0.8)], passages, { isCosine: false, query: { embeddingText } }));
    expect(ordered('how do I prime a pump')).toBe('text code');
    expect(ordered('primePump')).toBe('code text');
    expect(ordered('class Pump')).toBe('code text');
  });
});
