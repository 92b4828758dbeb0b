import type { ChunkFilter, ChunkId } from '@kebab/core';
import { sampleIds } from '@kebab/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlotFilter, type SegmentRows } from '../src/slot-filter.ts';

/** A segment whose row n belongs to chunk n, with every third row free. */
const segment: SegmentRows = {
  live: Uint8Array.from({ length: 256 }, (_, row) => (row % 3 === 0 ? 0 : 1)),
  ids: new Uint32Array(
    Uint8Array.from(
      Array.from({ length: 256 }, (_, row) => {
        const { chunkId, docId } = sampleIds(row);
        return [...Buffer.from(chunkId + docId, 'hex')];
      }).flat(),
    ).buffer,
  ),
};

const admitted = (filter: SlotFilter): readonly number[] => {
  const { mask, counts } = filter.admit([segment]);
  const rows = [...mask.entries()].filter(([, passes]) => passes === 1).map(([row]) => row);
  expect(counts).toEqual([rows.length]);
  return rows;
};
const live = Array.from({ length: 256 }, (_, row) => row).filter((row) => row % 3 !== 0);

describe('SlotFilter', () => {
  it('agrees with sets of strings on any chunks, documents and exceptions', () => {
    const rows = fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { maxLength: 300 });
    fc.assert(
      fc.property(
        rows,
        rows,
        fc.constantFrom('all' as const, 'only' as const, 'documents' as const),
        (named, excepted, kind) => {
          const chunkIds = new Set(named.map((row) => sampleIds(row).chunkId));
          const docIds = new Set(named.map((row) => sampleIds(row).docId));
          const except = new Set(excepted.map((row) => sampleIds(row).chunkId));
          const filters = {
            all: { kind: 'all' },
            only: { kind: 'only', chunkIds },
            documents: { kind: 'documents', docIds },
          } as const satisfies Record<string, ChunkFilter>;
          const expected = live.filter((row) => {
            const { chunkId, docId } = sampleIds(row);
            if (except.has(chunkId)) return false;
            return kind === 'all' || (kind === 'only' ? chunkIds.has(chunkId) : docIds.has(docId));
          });
          expect(admitted(new SlotFilter(filters[kind], except))).toEqual(expected);
        },
      ),
    );
  });

  it('treats strings that are not ids as unknown', () => {
    const { chunkId } = sampleIds(1);
    const chunkIds = new Set([chunkId, 'short', 'x'.repeat(32), chunkId.toUpperCase()] as ChunkId[]);
    expect(admitted(new SlotFilter({ kind: 'only', chunkIds }))).toEqual([1]);
  });

  it('reports that nothing can pass', () => {
    expect(new SlotFilter({ kind: 'only', chunkIds: new Set() }).isClosed).toBe(true);
    expect(new SlotFilter({ kind: 'all' }, new Set()).isClosed).toBe(false);
  });
});
