import { describe, expect, it } from 'vitest';
import type { ChunkWithDocument } from '../../src/contracts/document-store.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { readingAround } from '../../src/search/reading-around.ts';

const id = 'a' as DocumentId;
const found = { chunk: { docId: id }, around: { start: 10, text: '0123456789' } } as ChunkWithDocument;

describe('readingAround', () => {
  const store = { readText: (...range: readonly unknown[]) => `read ${range.join(' ')}`, getBlocks: () => [] };
  const near = readingAround(store, found);

  it('reads what came along with the chunk, and nothing else, from there', () => {
    expect(near.readText(id, 10, 20)).toBe('0123456789');
    expect(near.readText(id, 12, 15)).toBe('234');
    expect(near.readText(id, 9, 12)).toBe('read a 9 12');
    expect(near.readText(id, 12, 21)).toBe('read a 12 21');
    expect(near.readText(id, 12)).toBe('read a 12 ');
    expect(near.readText('b' as DocumentId, 12, 15)).toBe('read b 12 15');
  });

  it('is the store itself when nothing came along', () => {
    expect(readingAround(store, { chunk: found.chunk, document: found.document })).toBe(store);
  });
});
