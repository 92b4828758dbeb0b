import type { CanonicalDocument, ChunkDraft } from '@kebab/plugin';
import { SourceText } from '../source-text.ts';

/** Chunks as a page to read: `<first line>-<last line> <symbol>`, one a line; chunks without a symbol say `-`. */
export function listUnits({ text }: CanonicalDocument, chunks: readonly ChunkDraft[]): string {
  const source = new SourceText(text);
  return chunks
    .map(({ start, end, symbol = '-' }) => {
      const lines = source.linesOf(start, end);
      return `${lines.start}-${lines.end} ${symbol}\n`;
    })
    .join('');
}
