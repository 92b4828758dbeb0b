import { type IndexMaterial, searchExtras } from '../../analysis/index-text.ts';
import type { Block, TextRange } from '../../domain/block.ts';
import type { Chunk, ChunkDraft, CanonicalDocument } from '../../domain/document.ts';
import type { BlockId, ChunkId } from '../../domain/ids.ts';
import { mintChunkIds } from '../../domain/minted-ids.ts';
import { estimateTokens, utf8Length } from '../../domain/text-size.ts';
import { joinAnchors } from '../../domain/anchor.ts';
import { LineIndex, type SourceSpan } from '../../domain/span.ts';

/** The chunks of a document and, in the same order, what each is indexed by. */
export interface AssembledChunks {
  readonly chunks: readonly Chunk[];
  readonly material: readonly IndexMaterial[];
}

/** The chunker and the policy that chose the slices. */
export interface ChunkingLabels {
  readonly chunkerVersion: string;
  readonly policyHash: string;
}

/** Turns the slices that a chunker chose into chunks, with order, ids, blocks, headings, spans and index material. */
export function assembleChunks(
  document: CanonicalDocument,
  drafts: readonly ChunkDraft[],
  { chunkerVersion, policyHash }: ChunkingLabels,
): AssembledChunks {
  const { docId, text, blocks, title, workspacePath } = document;
  const ordered = drafts.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const runs = blockRuns(blocks, ordered);
  const slots = policySlots(runs, policyHash);
  const named = runs.map(({ first, last }, i) => ({
    blockIds: idsOf(blocks, first, last),
    policyHash: slots[i] ?? policyHash,
  }));
  const ids = mintChunkIds({ docId, chunkerVersion }, named);
  const spans = new SpanMaker(document);
  const tokens = tokenCounter(text);
  const extras = searchExtras(document.metadata);
  const chunks: Chunk[] = [];
  const material: IndexMaterial[] = [];
  for (const [ordinal, draft] of ordered.entries()) {
    const { first, last } = runs[ordinal] ?? NO_BLOCKS;
    const { start, end } = draft;
    const slice = text.slice(start, end);
    const headingPath = draft.headingPath ?? headingsInForce(blocks, first);
    const symbol = draft.symbol ?? null;
    const prefix = draft.indexPrefix ?? null;
    const extra = ordinal === 0 ? extras : NO_EXTRAS;
    material.push({ text: slice, title, headingPath, workspacePath, symbol, extra, prefix });
    chunks.push({
      chunkId: ids[ordinal] as ChunkId,
      docId,
      ordinal,
      start,
      end,
      text: slice,
      blockIds: named[ordinal]?.blockIds ?? NO_IDS,
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
const NO_IDS: readonly BlockId[] = [];

function idsOf(blocks: readonly Block[], first: number, last: number): readonly BlockId[] {
  const ids: BlockId[] = [];
  for (let i = first; i <= last; i++) {
    const id = blocks[i]?.blockId;
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** Estimates the tokens of slices of a text; if the text is all ASCII, from their length alone. */
function tokenCounter(text: string): (slice: string) => number {
  return utf8Length(text) === text.length ? (slice) => Math.ceil(slice.length / 3) : estimateTokens;
}

/** The heading path of the block at a position; a heading block counts as part of its own section. */
function headingsInForce(blocks: readonly Block[], at: number): readonly string[] {
  const block = blocks[at];
  if (block === undefined) return blocks.at(-1)?.headingPath ?? NO_EXTRAS;
  if (block.kind !== 'heading' || block.text === '') return block.headingPath; // a heading without words adds nothing
  const next = blocks[at + 1]?.headingPath;
  const isShared = next?.length === block.headingPath.length + 1 && next.at(-1) === block.text;
  return isShared ? next : [...block.headingPath, block.text];
}

/** The policy hash in each chunk's id: plain, or numbered if several chunks have the same blocks. */
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

/** A unique number for each run of blocks; all runs without blocks share one. */
function keyOf({ first, last }: BlockRun): number {
  return last < first ? -1 : first * 2 ** 26 + last;
}

const NUMBERED = /^(\d{1,3}(?:\.\d{1,3})*)[.)]?\s+(\S.*)$/s;

/**
 * The display label of a section: the last heading of its path, written `§<number> <rest>` when it begins with a section number
 * (`14. Chunking policy` and `14 Chunking policy` are both `§14 Chunking policy`); null without headings.
 */
export function sectionLabel(headingPath: readonly string[]): string | null {
  const heading = headingPath.at(-1);
  if (heading === undefined) return null;
  const [, number, rest] = NUMBERED.exec(heading) ?? [];
  return number === undefined || rest === undefined ? heading : `§${number} ${rest}`;
}

/** Consecutive blocks of a document by 0-based position, both inclusive; `last < first` when there are none. */
interface BlockRun {
  readonly first: number;
  readonly last: number;
}

/**
 * The blocks that each slice intersects; for an empty slice, the blocks that contain or touch its position. Blocks are in order and
 * disjoint; slices are in order of their start.
 */
function blockRuns(blocks: readonly Block[], slices: readonly TextRange[]): readonly BlockRun[] {
  let first = 0;
  return slices.map((slice) => {
    const isEmpty = slice.start === slice.end;
    while (first < blocks.length && endsBefore(blocks[first], slice.start, isEmpty)) first++;
    let last = first - 1;
    while (last + 1 < blocks.length && startsBy(blocks[last + 1], slice.end, isEmpty)) last++;
    return { first, last };
  });
}

function endsBefore(block: TextRange | undefined, start: number, isEmpty: boolean): boolean {
  return block !== undefined && (isEmpty ? block.end < start : block.end <= start);
}

function startsBy(block: TextRange | undefined, end: number, isEmpty: boolean): boolean {
  return block !== undefined && (isEmpty ? block.start <= end : block.start < end);
}

/** Computes the source spans of slices of one document. */
class SpanMaker {
  readonly #document: CanonicalDocument;
  #lines: LineIndex | undefined;

  constructor(document: CanonicalDocument) {
    this.#document = document;
  }

  /**
   * The spans of a slice that intersects `blocks`: parts of pages for a document with pages, lines for one with line spans, and otherwise
   * the spans of the blocks.
   */
  spansOf(slice: ChunkDraft, blocks: readonly Block[]): readonly SourceSpan[] {
    if (this.#document.pages.length > 0) return this.#pages(slice);
    const { mediaType } = this.#document;
    if (mediaType.kind === 'code') {
      const { start, end } = this.#linesOf(slice);
      return [{ kind: 'code', line_start: start, line_end: end, symbol: slice.symbol ?? null, lang: this.#codeLang() }];
    }
    const hasLines = blocks.length === 0 || blocks.some(({ sourceSpan }) => sourceSpan.kind === 'line');
    return hasLines ? [{ kind: 'line', ...this.#linesOf(slice) }] : joined(blocks.map(({ sourceSpan }) => sourceSpan));
  }

  #linesOf({ start, end }: TextRange): { readonly start: number; readonly end: number } {
    this.#lines ??= new LineIndex(this.#document.text);
    return this.#lines.linesOf(start, end);
  }

  #pages({ start, end }: TextRange): readonly SourceSpan[] {
    return this.#document.pages
      .filter((page) =>
        start === end ? page.start <= start && start <= page.end : page.start < end && start < page.end,
      )
      .map((page) => ({
        kind: 'page',
        page: page.page,
        char_start: Math.max(start, page.start) - page.start,
        char_end: Math.min(end, page.end) - page.start,
      }));
  }

  #codeLang(): string | null {
    const { mediaType, metadata } = this.#document;
    return metadata.codeLang ?? (mediaType.kind === 'code' ? mediaType.lang : null);
  }
}

/** Merges consecutive anchors, for example nineteen rows into rows 12 to 30; other spans are left as they are. */
function joined(spans: readonly SourceSpan[]): readonly SourceSpan[] {
  const found: SourceSpan[] = [];
  for (const span of spans) {
    const last = found.at(-1);
    const anchor = last?.kind === 'anchor' && span.kind === 'anchor' ? joinAnchors(last.anchor, span.anchor) : null;
    if (anchor === null) found.push(span);
    else found[found.length - 1] = { kind: 'anchor', anchor };
  }
  return found;
}
