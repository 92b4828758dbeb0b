import type { CanonicalDocument, ChunkPolicy } from '@kebab/core';
import { DEFAULT_POLICY, assetFrom, documentFrom } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { CodeChunker } from '../src/code-chunker.ts';

const chunker = new CodeChunker('rust');

/** A document of one block. */
function blockOf(text: string, symbol: string | null): CanonicalDocument {
  const bytes = new TextEncoder().encode(text);
  const lines = text.split('\n').length;
  const sourceSpan = { kind: 'code', line_start: 1, line_end: lines, symbol, lang: 'rust' } as const;
  const block = {
    kind: 'code',
    lang: 'rust',
    symbol,
    start: 0,
    end: text.length,
    headingPath: [],
    sourceSpan,
  } as const;
  return documentFrom({ text, blocks: [block] }, assetFrom('a.rs', bytes), 'code-rust-v1');
}

function symbols(document: CanonicalDocument, policy: Partial<ChunkPolicy>): readonly (string | undefined)[] {
  return chunker.chunk(document, { ...DEFAULT_POLICY, ...policy }).map(({ symbol }) => symbol);
}

describe('chunks of source code', () => {
  it('names itself after the language', () => {
    expect(chunker.id).toBe('code-rust-ast-v1');
  });

  it('makes one chunk of a unit whatever its size below the limits, labelled with its symbol', () => {
    const document = blockOf(Array.from({ length: 200 }, () => 'x').join('\n'), 'Foo::bar');
    expect(chunker.chunk(document, DEFAULT_POLICY)).toEqual([
      { start: 0, end: 399, symbol: 'Foo::bar', sectionLabel: 'Foo::bar' },
    ]);
  });

  it('labels the pieces of a larger unit', () => {
    const document = blockOf(Array.from({ length: 201 }, () => 'x').join('\n'), 'f');
    expect(symbols(document, {})).toEqual(['f [part 1/2]', 'f [part 2/2]']);
    expect(chunker.chunk(document, DEFAULT_POLICY)[0]?.sectionLabel).toBe('f [part 1/2]');
    expect(symbols(document, { maxUnitLines: 100 })).toHaveLength(3);
  });

  it('cuts by tokens as well, and does not call a single piece a part', () => {
    expect(symbols(blockOf('x'.repeat(100), 'f'), { maxChunkTokens: 16 })).toHaveLength(3);
    expect(symbols(blockOf('x'.repeat(48), 'f'), { maxChunkTokens: 16 })).toEqual(['f']);
  });

  it('leaves pieces without a symbol where the block has none', () => {
    expect(symbols(blockOf('x'.repeat(100), null), { maxChunkTokens: 16 })).toEqual([undefined, undefined, undefined]);
  });
});
