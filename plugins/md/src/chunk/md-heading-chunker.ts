import {
  TextSizer,
  cutAtLines,
  packSlices,
  type Block,
  type CanonicalDocument,
  type ChunkPolicy,
  type Chunker,
  type SizedText,
  type TextRange,
} from '@kebab/core';
import { sectionUnits, sectionsOf, type Section } from './section-units.ts';

const READS = ['targetTokens', 'overlapTokens', 'maxChunkTokens', 'respectMarkdownHeadings'] as const;

/**
 * Makes the chunker `md-heading-v1`: a heading starts a chunk and stays with what follows it; within a section blocks are
 * joined up to the target, code and tables kept whole, long prose cut at items, sentences or lines, and neighbouring
 * chunks overlap from a block or sentence start on.
 */
export function createHeadingChunker(): Chunker {
  return {
    id: 'md-heading-v1',
    version: '1',
    needs: { spans: ['line', 'anchor'] },
    reads: READS,
    chunk: chunkMarkdown,
  };
}

function chunkMarkdown({ text, blocks }: CanonicalDocument, policy: ChunkPolicy): readonly TextRange[] {
  const sized = { text, sizer: new TextSizer(text) };
  const sections = sectionsOf(blocks);
  const last = sections.at(-1);
  const headingsOnly = last !== undefined && last.contentFrom === last.to;
  const filled = headingsOnly ? sections.slice(0, -1) : sections;
  const slices: TextRange[] = [];
  if (policy.respectMarkdownHeadings)
    for (const section of filled) addSlices(slices, sized, { blocks, section, policy });
  else {
    const units = filled.flatMap((section) => sectionUnits(sized, { blocks, section }, policy));
    slices.push(...packSlices(sized, units, policy));
  }
  if (headingsOnly) addHeadings(slices, sized, { range: rangeOf(blocks, last), policy });
  return slices;
}

/** Most sections fit one chunk, which saves looking at their blocks. */
function addSlices(
  slices: TextRange[],
  sized: SizedText,
  {
    blocks,
    section,
    policy,
  }: { readonly blocks: readonly Block[]; readonly section: Section; readonly policy: ChunkPolicy },
): void {
  const range = rangeOf(blocks, section);
  if (sized.sizer.tokens(range.start, range.end) <= policy.targetTokens) slices.push(range);
  else
    for (const slice of packSlices(sized, sectionUnits(sized, { blocks, section }, policy), policy)) slices.push(slice);
}

/** Headings that nothing follows join the chunk before them, so that no chunk is headings alone, as long as they fit. */
function addHeadings(
  slices: TextRange[],
  sized: SizedText,
  { range, policy }: { readonly range: TextRange; readonly policy: ChunkPolicy },
): void {
  const before = slices.at(-1);
  if (before !== undefined && sized.sizer.tokens(before.start, range.end) <= policy.maxChunkTokens)
    slices[slices.length - 1] = { start: before.start, end: range.end };
  else slices.push(...cutAtLines(sized, range, policy.maxChunkTokens));
}

function rangeOf(blocks: readonly Block[], { from, to }: Section): TextRange {
  return { start: blocks[from]?.start ?? 0, end: blocks[to - 1]?.end ?? 0 };
}
