import {
  cutAtLines,
  prosePieces,
  type Block,
  type ChunkPolicy,
  type ChunkUnit,
  type ProsePiece,
  type SizedText,
} from '@kebab/core';

/** What the chunks of a section are made of: its blocks, the headings joined to the first, what is too long in pieces. */
export function sectionUnits(
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

/** A block that begins at `start`, where its headings do. */
interface HeadedBlock {
  readonly block: Block;
  readonly start: number;
}

function piecesOf(sized: SizedText, { block, start }: HeadedBlock, policy: ChunkPolicy): readonly ProsePiece[] {
  const limits = { targetTokens: policy.targetTokens, maxTokens: policy.maxChunkTokens };
  const fits = sized.sizer.tokens(start, block.end) <= limits.maxTokens;
  const short = !isProse(block) || sized.sizer.tokens(block.start, block.end) <= 2 * limits.targetTokens;
  if (fits && short) return [{ start, end: block.end, anchor: true }];
  if (!isProse(block)) return capped(sized, { start, end: block.end, contentStart: block.start }, limits.maxTokens);
  const itemStarts = block.kind === 'list' ? block.items.map((item) => item.start) : [];
  const [first, ...rest] = prosePieces(sized, block, { ...limits, itemStarts });
  if (first === undefined) return [];
  return [...capped(sized, { start, end: first.end, contentStart: block.start }, limits.maxTokens), ...rest];
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

/** A run of headings and the content below it, as positions in a document's list of blocks. */
export interface Section {
  /** The position of the first block. */
  readonly from: number;
  /** The position of the first block that is not a heading; `to` for headings at the end of the document. */
  readonly contentFrom: number;
  /** The position behind the last block. */
  readonly to: number;
}

/** Divides blocks at headings; headings without content of their own belong to the section that follows. */
export function sectionsOf(blocks: readonly Block[]): readonly Section[] {
  const sections: Section[] = [];
  let from = 0;
  let contentFrom = 0;
  let at = 0;
  for (const { kind } of blocks) {
    if (kind === 'heading') {
      if (at > contentFrom) {
        sections.push({ from, contentFrom, to: at });
        from = at;
      }
      contentFrom = at + 1;
    }
    at++;
  }
  if (at > from) sections.push({ from, contentFrom, to: at });
  return sections;
}
