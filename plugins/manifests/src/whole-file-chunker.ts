import { TextSizer, type Chunker } from '@kebab/core';
import { cutWindows } from './cut-windows.ts';

const READS = ['maxUnitLines', 'maxChunkTokens'] as const;

/** Makes a chunker of files that are one block: one chunk, above `maxUnitLines` lines windows of that size, without overlap. */
export function createWholeFileChunker(id: 'dockerfile-file-v1' | 'manifest-file-v1'): Chunker {
  return {
    id,
    version: '1',
    needs: { spans: ['code'] },
    reads: READS,
    chunk: ({ text, blocks }, { maxUnitLines, maxChunkTokens }) => {
      const sized = { text, sizer: new TextSizer(text) };
      return blocks.flatMap((block) => {
        const symbol = block.kind === 'code' ? block.symbol : null;
        const label = symbol === null ? {} : { symbol, sectionLabel: symbol };
        const windows = cutWindows(sized, block, { maxLines: maxUnitLines, maxTokens: maxChunkTokens });
        return windows.map(({ start, end }) => ({ start, end, ...label }));
      });
    },
  };
}
