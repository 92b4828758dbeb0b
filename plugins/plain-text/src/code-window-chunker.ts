import {
  TextSizer,
  type Block,
  type ChunkDraft,
  type ChunkPolicy,
  type Chunker,
  type SizedText,
  type TextRange,
} from '@kebab/core';
import { lineWindows } from './line-windows.ts';

const READS = ['targetTokens', 'maxChunkTokens', 'windowLines', 'windowOverlapLines'] as const;

/**
 * Makes the chunker `code-text-paragraph-v1`: paragraphs of code are joined up to the target without overlap; a paragraph
 * of more lines than a window is cut into windows that overlap by lines.
 */
export function createCodeWindowChunker(): Chunker {
  return {
    id: 'code-text-paragraph-v1',
    version: '1',
    needs: { spans: ['line', 'code'] },
    reads: READS,
    chunk: ({ text, blocks }, policy) => chunkCode({ text, sizer: new TextSizer(text) }, blocks, policy),
  };
}

function chunkCode(sized: SizedText, blocks: readonly Block[], policy: ChunkPolicy): readonly ChunkDraft[] {
  const chunks: TextRange[] = [];
  let open: TextRange | undefined;
  for (const { start, end, sourceSpan } of blocks) {
    const lines = sourceSpan.kind === 'code' ? sourceSpan.line_end - sourceSpan.line_start + 1 : 1;
    const whole = lines <= policy.windowLines && sized.sizer.tokens(start, end) <= policy.maxChunkTokens;
    if (whole && open !== undefined && sized.sizer.tokens(open.start, end) <= policy.targetTokens) {
      open = { start: open.start, end };
      continue;
    }
    if (open !== undefined) chunks.push(open);
    open = whole ? { start, end } : undefined;
    if (!whole) chunks.push(...lineWindows(sized, { start, end }, policy));
  }
  if (open !== undefined) chunks.push(open);
  return chunks;
}
