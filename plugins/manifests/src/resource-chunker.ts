import {
  TextSizer,
  type Block,
  type ChunkDraft,
  type ChunkPolicy,
  type Chunker,
  type SizedText,
  type TextRange,
} from '@kebab/core';
import { cutWindows } from './cut-windows.ts';

const ID = 'k8s-manifest-resource-v1';
const READS = ['targetTokens', 'maxChunkTokens', 'maxUnitLines', 'windowLines'] as const;

/**
 * Makes the chunker `k8s-manifest-resource-v1`: each resource is a chunk, above `maxUnitLines` lines its windows are
 * labelled `X [part i/N]`; the paragraphs between resources are joined up to the target. Chunks do not overlap.
 */
export function createResourceChunker(): Chunker {
  return {
    id: ID,
    version: '1',
    needs: { spans: ['code'] },
    reads: READS,
    chunk: ({ text, blocks }, policy) => {
      const sized = { text, sizer: new TextSizer(text) };
      const chunks: ChunkDraft[] = [];
      let between: Block[] = [];
      for (const block of blocks) {
        const symbol = block.kind === 'code' ? block.symbol : null;
        if (symbol === null) between.push(block);
        else {
          chunks.push(...paragraphChunks(sized, between, policy), ...resourceChunks(sized, block, { symbol, policy }));
          between = [];
        }
      }
      return [...chunks, ...paragraphChunks(sized, between, policy)];
    },
  };
}

function resourceChunks(
  sized: SizedText,
  block: TextRange,
  { symbol, policy }: { readonly symbol: string; readonly policy: ChunkPolicy },
): readonly ChunkDraft[] {
  const windows = cutWindows(sized, block, { maxLines: policy.maxUnitLines, maxTokens: policy.maxChunkTokens });
  return windows.map(({ start, end }, at) => {
    const label = windows.length === 1 ? symbol : `${symbol} [part ${at + 1}/${windows.length}]`;
    return { start, end, symbol: label, sectionLabel: label };
  });
}

function paragraphChunks(sized: SizedText, paragraphs: readonly Block[], policy: ChunkPolicy): readonly ChunkDraft[] {
  const limits = { maxLines: policy.windowLines, maxTokens: policy.maxChunkTokens };
  const chunks: TextRange[] = [];
  for (const paragraph of paragraphs) {
    const last = chunks.at(-1);
    if (last !== undefined && sized.sizer.tokens(last.start, paragraph.end) <= policy.targetTokens)
      chunks[chunks.length - 1] = { start: last.start, end: paragraph.end };
    else chunks.push(...cutWindows(sized, paragraph, limits));
  }
  return chunks;
}
