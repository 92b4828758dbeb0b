import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssetId, type BlockId, parseChunkId, parseDocumentId } from '../../src/domain/ids.ts';
import { mintBlockIds, mintChunkIds, mintDocumentId, mintEmbeddingId, mintId } from '../../src/domain/minted-ids.ts';
import { canonicalJson, type ChunkId, type DocumentId } from '@kebab/core';

describe('ids', () => {
  it.each([
    ['cec9353553efb238a7919d38d3e148f1', { asset_blake3: 'deadbeef', kind: 'asset' }],
    [
      '8547fe58cb42d593fd761d77242401db',
      {
        asset_id: '6cb0ef0eb89c63b8b6e76ec53dca6e7d',
        kind: 'doc',
        parser_version: 'pulldown-cmark-0.x',
        workspace_path: 'notes/test.md',
      },
    ],
    [
      '8809f627777fe7ca5c4433b97dd88ce9',
      {
        block_ids: ['a1b2c3d4e5f6789012345678abcdef00'],
        chunker_version: 'greedy-1.0',
        doc_id: 'aabbccdd00112233445566778899aabb',
        kind: 'chunk',
        policy_hash: 'abc123',
      },
    ],
  ])('mints the pinned id %s', (id, input) => {
    expect(mintId(input)).toBe(id);
  });

  it('mints the pinned document and chunk ids through the typed functions', () => {
    const assetId = '6cb0ef0eb89c63b8b6e76ec53dca6e7d' as AssetId;
    const base = { workspacePath: 'notes/test.md', assetId, parserVersion: 'pulldown-cmark-0.x' };
    expect(mintDocumentId({ ...base, sourceId: 'default' })).toBe('8547fe58cb42d593fd761d77242401db');
    expect(mintDocumentId({ ...base, sourceId: 'papers' })).not.toBe('8547fe58cb42d593fd761d77242401db');
    const chunk = {
      docId: 'aabbccdd00112233445566778899aabb' as DocumentId,
      chunkerVersion: 'greedy-1.0',
      blockIds: ['a1b2c3d4e5f6789012345678abcdef00' as BlockId],
      policyHash: 'abc123',
    };
    expect(mintChunkIds(chunk, [chunk])).toEqual(['8809f627777fe7ca5c4433b97dd88ce9']);
  });

  it('mints the same id whatever the order of the keys, in a thousand repetitions', () => {
    const ids = new Set<string>();
    for (let i = 0; i < 1000; i++) ids.add(mintId(i % 2 === 0 ? { kind: 'a', x: 1 } : { x: 1, kind: 'a' }));
    expect(ids.size).toBe(1);
  });

  it('mints the same document id for the NFC and NFD forms of a Korean path', () => {
    const of = (workspacePath: string): string =>
      mintDocumentId({ workspacePath, assetId: 'a' as AssetId, parserVersion: 'v', sourceId: 'default' });
    expect(of('노트/한글.md'.normalize('NFD'))).toBe(of('노트/한글.md'.normalize('NFC')));
  });

  it('mints the vector ids that the canonical JSON has', () => {
    const input = fc.record({
      chunkId: fc.string({ unit: 'grapheme' }).map((id) => id as ChunkId),
      modelId: fc.constantFrom('e5', 'a "model" \\ of 한글'.normalize('NFD')),
      modelVersion: fc.string(),
      dimensions: fc.nat(),
    });
    fc.assert(
      fc.property(input, ({ chunkId, modelId, modelVersion, dimensions }) => {
        const json = {
          chunk_id: chunkId,
          model_id: modelId,
          model_version: modelVersion,
          dimensions,
          kind: 'embedding',
        };
        expect(mintEmbeddingId({ chunkId, modelId, modelVersion, dimensions })).toBe(mintId(json));
      }),
    );
  });

  it('mints the block ids that the canonical JSON has', () => {
    const span = fc.oneof(
      fc.record({ kind: fc.constant('line' as const), start: fc.nat(), end: fc.nat() }),
      fc.record({
        kind: fc.constant('code' as const),
        line_start: fc.nat(),
        line_end: fc.nat(),
        symbol: fc.option(fc.string({ unit: 'grapheme' })),
        lang: fc.option(fc.string()),
      }),
    );
    const block = fc.record({
      kind: fc.constantFrom('heading' as const, 'paragraph' as const, 'code' as const),
      headingPath: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
      ordinal: fc.nat(),
      sourceSpan: span,
    });
    fc.assert(
      fc.property(fc.array(block), (blocks) => {
        const docId = 'aabbccdd00112233445566778899aabb' as DocumentId;
        const slow = blocks.map((b) =>
          mintId({
            kind: 'block',
            doc_id: docId,
            block_kind: b.kind,
            heading_path: b.headingPath,
            ordinal: b.ordinal,
            source_span: { ...b.sourceSpan },
          }),
        );
        expect(mintBlockIds(docId, blocks)).toEqual(slow);
      }),
    );
  });

  it('parses ids in upper case with surrounding space, and rejects everything else', () => {
    expect(parseChunkId(' 8809F627777FE7CA5C4433B97DD88CE9 ')).toBe('8809f627777fe7ca5c4433b97dd88ce9' as ChunkId);
    for (const bad of ['', '8809', 'z'.repeat(32), '8809f627777fe7ca5c4433b97dd88ce90'])
      expect(() => parseDocumentId(bad)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('canonicalJson', () => {
  it('sorts keys by code units, keeps the order of arrays, and writes numbers as ECMAScript does', () => {
    expect(canonicalJson({ b: [2, 1], a: { z: null, y: true }, é: 1e21, A: 0.1 })).toBe(
      '{"A":0.1,"a":{"y":true,"z":null},"b":[2,1],"é":1e+21}',
    );
  });
  it('writes JSON that parses to the normalized value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value as never))).toEqual(normalized(value));
      }),
    );
  });
  it('rejects numbers that JSON cannot represent', () => {
    expect(() => canonicalJson(Number.NaN)).toThrow('no JSON form');
  });
});

function normalized(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(normalized);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key.normalize('NFC'), normalized(member)]));
}
