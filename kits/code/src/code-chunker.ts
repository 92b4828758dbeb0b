import type { Block, CanonicalDocument, ChunkDraft, ChunkPolicy, Chunker } from '@kebab/plugin';
import { cutRange } from './cut-range.ts';

/** Grows with every change of where a code chunker cuts. */
const CHUNKER_VERSION = 1;

/** The id, and the label, of the chunker of a language: `code-rust-ast-v1`. */
export function chunkerIdOf(lang: string): string {
  return `code-${lang}-ast-v${CHUNKER_VERSION}`;
}

/**
 * Makes one chunk of each block of a code document, labelled with its symbol. A block over `maxUnitLines` lines or
 * `maxChunkTokens` tokens is cut, and its pieces are labelled `X [part i/N]`. Chunks do not overlap.
 */
export class CodeChunker implements Chunker {
  readonly id: string;
  readonly version = String(CHUNKER_VERSION);
  readonly reads = ['maxUnitLines', 'maxChunkTokens'] as const;
  readonly needs = { spans: ['code'] } as const;

  constructor(lang: string) {
    this.id = chunkerIdOf(lang);
  }

  chunk({ text, blocks }: CanonicalDocument, policy: ChunkPolicy): readonly ChunkDraft[] {
    const limits = { maxLines: policy.maxUnitLines, maxTokens: policy.maxChunkTokens };
    return blocks.flatMap((block) => {
      const { start, end } = block;
      const symbol = block.kind === 'code' ? block.symbol : null;
      if (fits(block, policy)) return [labelled({ start, end }, symbol)];
      const pieces = cutRange(text, { start, end }, limits);
      if (symbol === null || pieces.length === 1) return pieces.map((piece) => labelled(piece, symbol));
      return pieces.map((piece, at) => labelled(piece, `${symbol} [part ${at + 1}/${pieces.length}]`));
    });
  }
}

/** Whether a block certainly is within the limits: a UTF-16 unit takes at most three bytes, one token. */
function fits({ start, end, sourceSpan }: Block, { maxUnitLines, maxChunkTokens }: ChunkPolicy): boolean {
  if (sourceSpan.kind !== 'code' || end - start > maxChunkTokens) return false;
  return sourceSpan.line_end - sourceSpan.line_start < maxUnitLines;
}

function labelled(range: { readonly start: number; readonly end: number }, symbol: string | null): ChunkDraft {
  const { start, end } = range;
  return symbol === null ? { start, end } : { start, end, symbol, sectionLabel: symbol };
}
