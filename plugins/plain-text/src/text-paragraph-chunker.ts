import {
  TextSizer,
  packSlices,
  prosePieces,
  type Block,
  type ChunkPolicy,
  type ChunkUnit,
  type Chunker,
  type SizedText,
} from '@kebab/core';

const READS = ['targetTokens', 'overlapTokens', 'maxChunkTokens'] as const;

/**
 * Makes the chunker `text-paragraph-v1`: paragraphs are joined up to the target, a paragraph above it is cut at sentence
 * or line ends, neighbouring chunks overlap from a paragraph or sentence start on.
 */
export function createTextParagraphChunker(): Chunker {
  return {
    id: 'text-paragraph-v1',
    version: '1',
    needs: { spans: ['line', 'anchor'] },
    reads: READS,
    chunk: ({ text, blocks }, policy) => {
      const sized = { text, sizer: new TextSizer(text) };
      return packSlices(
        sized,
        blocks.flatMap((block) => unitsOf(sized, block, policy)),
        policy,
      );
    },
  };
}

function unitsOf(sized: SizedText, block: Block, policy: ChunkPolicy): readonly ChunkUnit[] {
  const whole = { start: block.start, end: block.end };
  if (sized.sizer.tokens(block.start, block.end) <= policy.targetTokens)
    return [{ ...whole, opens: false, contentStart: block.start, anchor: true, prose: true }];
  const limits = { targetTokens: policy.targetTokens, maxTokens: policy.maxChunkTokens };
  return prosePieces(sized, whole, limits).map(({ start, end, anchor }) => ({
    start,
    end,
    opens: false,
    contentStart: start,
    anchor,
    prose: true,
  }));
}
