import {
  TextSizer,
  type Block,
  type ChunkDraft,
  type ChunkPolicy,
  type Chunker,
  type SizedText,
  type TextRange,
  cutAtLines,
  paragraphsOf,
} from '@kebab/core';

const ID = 'k8s-manifest-resource-v1';
const READS = ['targetTokens', 'maxChunkTokens', 'maxUnitLines', 'windowLines'] as const;

/**
 * Creates the chunker `k8s-manifest-resource-v1`: each resource is a chunk; above `maxUnitLines` lines it is cut into windows labelled `X
 * [part i/N]`; the paragraphs between resources are joined up to the target. Chunks do not overlap.
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

/** The maximum size of a window. */
interface WindowLimits {
  readonly maxLines: number;
  readonly maxTokens: number;
}

/**
 * Cuts a range of whole lines into windows of `maxLines` lines, and windows larger than `maxTokens` at line ends; a single line that is too
 * large is cut between characters. Windows begin and end with non-blank lines.
 */
export function cutWindows(sized: SizedText, range: TextRange, limits: WindowLimits): readonly TextRange[] {
  const windows: TextRange[] = [];
  for (let start = range.start; start < range.end;) {
    const end = endOfLines(sized.text, { start, end: range.end }, limits.maxLines);
    const window = withoutBlankEnds(sized.text, { start, end });
    if (window !== null && sized.sizer.tokens(window.start, window.end) <= limits.maxTokens) windows.push(window);
    else if (window !== null) windows.push(...cutAtLines(sized, window, limits.maxTokens));
    start = end + 1;
  }
  return windows;
}

function endOfLines(text: string, { start, end }: TextRange, lines: number): number {
  let at = start - 1;
  for (let line = 0; line < lines; line++) {
    const newline = text.indexOf('\n', at + 1);
    if (newline === -1 || newline >= end) return end;
    at = newline;
  }
  return at;
}

function withoutBlankEnds(text: string, range: TextRange): TextRange | null {
  const paragraphs = paragraphsOf(text, range);
  const [first, last] = [paragraphs[0], paragraphs.at(-1)];
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}

const WHOLE_FILE_READS = ['maxUnitLines', 'maxChunkTokens'] as const;

/** Creates a chunker for files that are one block: one chunk, or above `maxUnitLines` lines windows of that size, without overlap. */
export function createWholeFileChunker(id: 'dockerfile-file-v1' | 'manifest-file-v1'): Chunker {
  return {
    id,
    version: '1',
    needs: { spans: ['code'] },
    reads: WHOLE_FILE_READS,
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
