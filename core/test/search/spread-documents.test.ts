import { describe, expect, it } from 'vitest';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
import type { ChunkRank } from '../../src/search/chunk-rank.ts';
import { type KnownPassage, TextPrint } from '../../src/search/known-passages.ts';
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
  const print = new TextPrint('some words that make up a passage of a text about pumps');
  type Ordered = Omit<KnownPassage, 'chunkId' | 'sourceId' | 'symbol' | 'isManuallyAdded' | 'headingTokens' | 'code'>;
  const passage = (id: string): [ChunkId, Ordered] => {
    const kind = id === 'links' || id === 'changes' ? id : 'content';
    const media = id === 'code' || id.endsWith('.yml') ? 'code' : 'markdown';
    const place = id === 'around' ? { sectionLabel: null, ordinal: 4 } : { sectionLabel: 'Pumps', ordinal: 1 };
    return [id as ChunkId, { kind, media, print, docId: 'd1' as DocumentId, ...place, workspacePath: id }];
  };

  it.each([
    ['pumps', 'links text', 'text links'],
    ['pumps', 'around text', 'text around'],
    ['how does a pump stop', 'changes text', 'text changes'],
    ['what changed in the pump', 'changes text', 'changes text'],
    ['how do I change the seal of the pump', 'changes text', 'text changes'],
    ['how are changes to the pump announced', 'changes text', 'text changes'],
    ['pump changes since May', 'changes text', 'changes text'],
    ['pumps in version 1.0', 'changes text', 'changes text'],
    ['펌프 변경 사항', 'changes text', 'changes text'],
    ['how do I prime a pump', 'code text', 'text code'],
    ['how often does the pump run', 'pump.yml text', 'pump.yml text'],
    ['how often does the pump run', 'code pump.yml', 'pump.yml code'],
    ['primePump', 'code text', 'code text'],
    ['class Pump', 'code text', 'code text'],
  ])('for "%s" makes of "%s": "%s"', (embeddingText, before, after) => {
    const [first = '', second = ''] = before.split(' ');
    const entries = [entry(first, 1), entry(second, 0.8), entry('far', 0.2)];
    const passages = new Map([first, second, 'far'].map((id) => passage(id)));
    expect(ids(orderByKind(entries, passages, { isCosine: false, query: { embeddingText } }))).toBe(`${after} far`);
  });

  it('puts a text before a list of links where there is nothing else', () => {
    const passages = new Map(['links', 'text'].map((id) => passage(id)));
    const options = { isCosine: false, query: { embeddingText: 'pumps' } };
    expect(ids(orderByKind([entry('links', 1), entry('text', 0.8)], passages, options))).toBe('text links');
  });
});
