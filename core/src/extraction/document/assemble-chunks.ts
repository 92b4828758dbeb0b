import { type IndexMaterial, searchExtras } from '../../analysis/index-text.ts';
import type { Block } from '../../domain/block.ts';
import type { Chunk, ChunkDraft } from '../../domain/chunk.ts';
import type { CanonicalDocument } from '../../domain/document.ts';
import { chunkIdMinter, type BlockId } from '../../domain/ids.ts';
import { sectionLabel } from '../../domain/section-label.ts';
import { estimateTokens, utf8Length } from '../../domain/text-size.ts';
import { blockRuns, type BlockRun } from './block-ranges.ts';
import { SpanMaker } from './span-maker.ts';

/** The chunks of a document, and what each is found by, in the same order. */
export interface AssembledChunks {
  readonly chunks: readonly Chunk[];
  readonly material: readonly IndexMaterial[];
}

/** How the slices were chosen. */
export interface ChunkingLabels {
  readonly chunkerVersion: string;
  readonly policyHash: string;
}

/** Completes the slices that a chunker chose: order, ids, blocks, headings, spans and search material. */
export function assembleChunks(
  document: CanonicalDocument,
  drafts: readonly ChunkDraft[],
  { chunkerVersion, policyHash }: ChunkingLabels,
): AssembledChunks {
  const { docId, text, blocks, title, workspacePath } = document;
  const ordered = drafts.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const runs = blockRuns(blocks, ordered);
  const slots = policySlots(runs, policyHash);
  const mint = chunkIdMinter({ docId, chunkerVersion });
  const spans = new SpanMaker(document);
  const tokens = tokenCounter(text);
  const extras = searchExtras(document.metadata);
  const chunks: Chunk[] = [];
  const material: IndexMaterial[] = [];
  for (const [ordinal, draft] of ordered.entries()) {
    const { first, last } = runs[ordinal] ?? NO_BLOCKS;
    const { start, end } = draft;
    const slice = text.slice(start, end);
    const blockIds = idsOf(blocks, first, last);
    const headingPath = draft.headingPath ?? headingsInForce(blocks, first);
    const symbol = draft.symbol ?? null;
    const prefix = draft.indexPrefix ?? null;
    const extra = ordinal === 0 ? extras : NO_EXTRAS;
    material.push({ text: slice, title, headingPath, workspacePath, symbol, extra, prefix });
    chunks.push({
      chunkId: mint(blockIds, slots[ordinal] ?? policyHash),
      docId,
      ordinal,
      start,
      end,
      text: slice,
      blockIds,
      headingPath,
      sectionLabel: draft.sectionLabel ?? symbol ?? sectionLabel(headingPath),
      sourceSpans: draft.sourceSpans ?? spans.spansOf(draft, blocks.slice(first, last + 1)),
      tokenEstimate: tokens(slice),
      chunkerVersion,
      policyHash,
    });
  }
  return { chunks, material };
}

const NO_BLOCKS: BlockRun = { first: 0, last: -1 };
const NO_EXTRAS: readonly string[] = [];

function idsOf(blocks: readonly Block[], first: number, last: number): readonly BlockId[] {
  const ids: BlockId[] = [];
  for (let i = first; i <= last; i++) {
    const id = blocks[i]?.blockId;
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Counts the tokens of slices of a text; where all is ASCII, without looking at them. */
function tokenCounter(text: string): (slice: string) => number {
  return utf8Length(text) === text.length ? (slice) => Math.ceil(slice.length / 3) : estimateTokens;
}

/** The headings in force where a block begins, its own heading included. */
function headingsInForce(blocks: readonly Block[], at: number): readonly string[] {
  const block = blocks[at];
  if (block === undefined) return blocks.at(-1)?.headingPath ?? NO_EXTRAS;
  if (block.kind !== 'heading') return block.headingPath;
  const next = blocks[at + 1]?.headingPath;
  const isShared = next?.length === block.headingPath.length + 1 && next.at(-1) === block.text;
  return isShared ? next : [...block.headingPath, block.text];
}

/** The policy slot of each chunk's id: bare, or numbered where several chunks have the same blocks. */
function policySlots(runs: readonly BlockRun[], policyHash: string): readonly string[] {
  const pieces = new Map<number, number>();
  for (const run of runs) pieces.set(keyOf(run), (pieces.get(keyOf(run)) ?? 0) + 1);
  if (pieces.size === runs.length) return runs.map(() => policyHash);
  const taken = new Map<number, number>();
  return runs.map((run) => {
    const key = keyOf(run);
    const piece = taken.get(key) ?? 0;
    taken.set(key, piece + 1);
    return pieces.get(key) === 1 ? policyHash : `${policyHash}#${piece}`;
  });
}

/** One number for each run of blocks; all runs without blocks are one. */
function keyOf({ first, last }: BlockRun): number {
  return last < first ? -1 : first * 2 ** 26 + last;
}
