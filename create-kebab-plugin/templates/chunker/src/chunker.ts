import { TextSizer, cutAtLines, type Chunker, type TextRange } from '@kebab/plugin';

/** The settings this chunker reads; its policy hash is computed from exactly these. */
const READS = ['targetTokens', 'maxChunkTokens'] as const;

/** Creates the chunker: whole sections where they fit, otherwise blocks joined up to the target size, without overlap. */
export function createChunker(): Chunker {
  return {
    id: '{{id}}',
    version: '1',
    needs: { spans: ['line'] },
    reads: READS,
    chunk: ({ text, blocks }, { targetTokens, maxChunkTokens }) => {
      const sized = { text, sizer: new TextSizer(text) };
      const pieces: TextRange[] = [];
      for (const { kind, start, end } of blocks) {
        const open = pieces.at(-1);
        const joins = open !== undefined && kind !== 'heading' && sized.sizer.tokens(open.start, end) <= targetTokens;
        if (joins) pieces[pieces.length - 1] = { start: open.start, end };
        else pieces.push({ start, end });
      }
      return pieces.flatMap((piece) =>
        sized.sizer.tokens(piece.start, piece.end) <= maxChunkTokens
          ? [piece]
          : cutAtLines(sized, piece, maxChunkTokens),
      );
    },
  };
}
