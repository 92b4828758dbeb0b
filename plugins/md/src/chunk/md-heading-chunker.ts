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
  prosePieces,
  type ChunkUnit,
  type ProsePiece,
} from '@kebab/core';

const READS = ['targetTokens', 'overlapTokens', 'maxChunkTokens', 'respectMarkdownHeadings'] as const;

/**
 * Makes the chunker `md-heading-v1`. A heading starts a chunk and stays with the content that follows. Within a section, blocks are joined
 * up to the target, code and tables are kept whole, long prose is cut at items, sentences or lines, and adjacent chunks overlap from the
 * start of a block or sentence.
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

/** Most sections fit in one chunk, so their blocks need not be visited. */
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

/** Adds headings at the end of a document to the last chunk, if they fit, so that no chunk consists of headings only. */
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

/** The units of a section: its blocks, the first one together with the headings; blocks that are too long are cut into pieces. */
function sectionUnits(
  sized: SizedText,
  { blocks, section }: { readonly blocks: readonly Block[]; readonly section: Section },
  policy: ChunkPolicy,
): readonly ChunkUnit[] {
  const units: ChunkUnit[] = [];
  let headed = blocks[section.from]?.start;
  let opens = policy.respectMarkdownHeadings;
  for (const block of blocks.slice(section.contentFrom, section.to)) {
    let contentStart = block.start;
    for (const piece of piecesOf(sized, { block, start: headed ?? block.start }, policy)) {
      contentStart = Math.max(contentStart, piece.start);
      units.push({
        start: piece.start,
        end: piece.end,
        opens,
        contentStart,
        anchor: piece.anchor,
        prose: isProse(block),
      });
      opens = false;
    }
    headed = undefined;
  }
  return units;
}

/** A block with the headings before it, which begin at `start`. */
interface HeadedBlock {
  readonly block: Block;
  readonly start: number;
}

function piecesOf(sized: SizedText, { block, start }: HeadedBlock, policy: ChunkPolicy): readonly ProsePiece[] {
  const { targetTokens, maxChunkTokens } = policy;
  const fits = sized.sizer.tokens(start, block.end) <= maxChunkTokens;
  const short = !isProse(block) || sized.sizer.tokens(block.start, block.end) <= 2 * targetTokens;
  if (fits && short) return [{ start, end: block.end, anchor: true }];
  if (!isProse(block)) return capped(sized, { start, end: block.end, contentStart: block.start }, maxChunkTokens);
  const itemStarts = block.kind === 'list' ? block.items.map((item) => item.start) : [];
  const [first, ...rest] = prosePieces(sized, block, { ...policy, itemStarts });
  if (first === undefined) return [];
  return [...capped(sized, { start, end: first.end, contentStart: block.start }, maxChunkTokens), ...rest];
}

function capped(
  sized: SizedText,
  range: { readonly start: number; readonly end: number; readonly contentStart: number },
  maxTokens: number,
): readonly ProsePiece[] {
  return cutAtLines(sized, range, maxTokens).map((piece, at) => ({ ...piece, anchor: at === 0 }));
}

function isProse({ kind }: Block): boolean {
  return kind !== 'code' && kind !== 'table';
}

/** A run of headings and the content below them, as 0-based indexes into a document's blocks. */
interface Section {
  /** The index of the first block. */
  readonly from: number;
  /** The index of the first block that is not a heading; equal to `to` for headings at the end of the document. */
  readonly contentFrom: number;
  /** The index after the last block. */
  readonly to: number;
}

/** Splits blocks into sections at headings; headings without content of their own belong to the section that follows. */
function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: Section[] = [];
  let from = 0;
  let contentFrom = 0;
  let at = 0;
  for (const { kind, headingPath } of blocks) {
    // What a page has around its main text belongs to no heading.
    const isOutside = headingPath.length === 0 && (blocks[at - 1]?.headingPath.length ?? 0) > 0;
    if (kind === 'heading' || isOutside) {
      if (at > contentFrom) {
        sections.push({ from, contentFrom, to: at });
        from = at;
      }
      contentFrom = kind === 'heading' ? at + 1 : at;
    }
    at++;
  }
  if (at > from) sections.push({ from, contentFrom, to: at });
  return sections;
}
