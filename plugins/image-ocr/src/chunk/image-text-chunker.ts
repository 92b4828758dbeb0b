import {
  cutAtLines,
  packSlices,
  paragraphsOf,
  proseUnits,
  TextSizer,
  type Block,
  type CanonicalDocument,
  type ChunkDraft,
  type ChunkPolicy,
  type Chunker,
  type SizedText,
  type TextRange,
} from '@kebab/core';
import { boxAround } from '../extract/picture-geometry.ts';

const READS = ['targetTokens', 'overlapTokens', 'maxChunkTokens'] as const;

/**
 * Creates the chunker `image-text-v1`: the text of each picture is cut like plain text, its caption is a separate chunk, and an image
 * without recognised text is one empty chunk. The span of a chunk is the box around its regions, or the image.
 */
export function createImageTextChunker(): Chunker {
  return {
    id: 'image-text-v1',
    version: '1',
    needs: { spans: ['region'] },
    reads: READS,
    chunk: (document, policy) => chunkImage(document, policy),
  };
}

function chunkImage({ text, blocks }: CanonicalDocument, policy: ChunkPolicy): readonly ChunkDraft[] {
  const sized = { text, sizer: new TextSizer(text) };
  const chunks = blocks.flatMap((block) => slicesOf(sized, block, policy).map((slice) => withSpan(slice, block)));
  const [first] = blocks;
  return chunks.length > 0 || first === undefined ? chunks : [withSpan({ start: 0, end: 0 }, first)];
}

function slicesOf(sized: SizedText, block: Block, policy: ChunkPolicy): readonly TextRange[] {
  if (sized.text.slice(block.start, block.end).trim() === '') return [];
  const isCaption = block.kind === 'imageref' && block.ocr === null;
  return isCaption
    ? cutAtLines(sized, block, policy.maxChunkTokens)
    : packSlices(sized, proseUnits(sized, paragraphsOf(sized.text, block), policy), policy);
}

function withSpan({ start, end }: TextRange, block: Block): ChunkDraft {
  const regions = block.kind === 'imageref' ? (block.ocr?.regions ?? []) : [];
  const box = boxAround(regions, block.start, { start, end });
  return { start, end, sourceSpans: [box === null ? block.sourceSpan : { kind: 'region', ...box }] };
}
