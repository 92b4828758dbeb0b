import {
  TextSizer,
  type Block,
  type ChunkDraft,
  type ChunkPolicy,
  type Chunker,
  type SizedText,
  type TextRange,
  cutAtLines,
  packSlices,
  proseUnits,
} from '@kebab/core';

const READS = ['targetTokens', 'maxChunkTokens', 'windowLines', 'windowOverlapLines'] as const;

/**
 * Creates the chunker `code-text-paragraph-v1`: paragraphs of code are joined up to the target without overlap; a paragraph of more lines
 * than a window is cut into windows that overlap by lines.
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

/** The limits of a window. */
export type WindowLimits = Pick<ChunkPolicy, 'maxChunkTokens' | 'windowLines' | 'windowOverlapLines'>;

/**
 * Cuts a range of lines into windows of at most `windowLines` lines and `maxChunkTokens`, each beginning up to `windowOverlapLines` before
 * the end of the previous one; a range with few enough lines is cut without overlap. A single line above `maxChunkTokens` is cut between
 * characters.
 */
export function lineWindows(sized: SizedText, range: TextRange, limits: WindowLimits): readonly TextRange[] {
  const lines = linesOf(sized.text, range);
  const fits = (from: number, to: number): boolean => {
    const [first, last] = [lines[from], lines[to - 1]];
    if (first === undefined || last === undefined || to - from > limits.windowLines) return false;
    return sized.sizer.tokens(first.start, last.end) <= limits.maxChunkTokens;
  };
  const overlap = lines.length > limits.windowLines ? limits.windowOverlapLines : 0;
  const windows: TextRange[] = [];
  let [from, lastEnd] = [0, 0];
  while (from < lines.length) {
    let to = from;
    while (fits(from, to + 1)) to++;
    const [first, last] = [lines[from], lines[Math.max(from, to - 1)]];
    if (first === undefined || last === undefined) break;
    if (to === from) {
      windows.push(...cutAtLines(sized, first, limits.maxChunkTokens));
      [from, lastEnd] = [from + 1, from + 1];
      continue;
    }
    windows.push({ start: first.start, end: last.end });
    if (to === lines.length) break;
    [from, lastEnd] = [nextStart({ to, least: Math.max(to - overlap, lastEnd, from + 1) }, fits), to];
  }
  return windows;
}

/** The next window must extend beyond this one, so it overlaps only as far as one more line still fits. */
function nextStart(
  { to, least }: { readonly to: number; readonly least: number },
  fits: (from: number, to: number) => boolean,
): number {
  let from = Math.min(to, least);
  while (from < to && !fits(from, to + 1)) from++;
  return from;
}

function linesOf(text: string, { start, end }: TextRange): readonly TextRange[] {
  const lines: TextRange[] = [];
  for (let at = start; at < end;) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 || newline > end ? end : newline;
    lines.push({ start: at, end: lineEnd });
    at = lineEnd + 1;
  }
  return lines;
}

const PROSE_READS = ['targetTokens', 'overlapTokens', 'maxChunkTokens'] as const;

/**
 * Creates the chunker `text-paragraph-v1`: paragraphs are joined up to the target, a longer paragraph is cut at sentence or line ends, and
 * neighbouring chunks overlap from the start of a paragraph or sentence.
 */
export function createTextParagraphChunker(): Chunker {
  return {
    id: 'text-paragraph-v1',
    version: '1',
    needs: { spans: ['line', 'anchor'] },
    reads: PROSE_READS,
    chunk: ({ text, blocks }, policy) => {
      const sized = { text, sizer: new TextSizer(text) };
      return packSlices(sized, proseUnits(sized, blocks, policy), policy);
    },
  };
}
