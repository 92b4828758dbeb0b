import {
  cutAtLines,
  prosePieces,
  type Block,
  type ChunkPolicy,
  type ChunkUnit,
  type ProsePiece,
  type SizedText,
} from '@kebab/core';
import type { Section } from './sections.ts';

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
