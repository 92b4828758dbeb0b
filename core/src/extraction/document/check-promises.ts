import type { ExtractedDocument } from '../../contracts/extractor.ts';
import { parseAnchor } from '../../domain/anchor.ts';
import type { TextRange } from '../../domain/block.ts';
import type { Chunk, ChunkDraft, CanonicalDocument } from '../../domain/document.ts';

/**
 * What an extractor broke of its promises, in a few words, or null: ranges of blocks and pages are in bounds, in order
 * and disjoint, and spans name lines and pages that there are.
 */
export function brokenExtraction({ text, blocks, pages = [] }: ExtractedDocument): string | null {
  const order = brokenOrder('block', blocks, text.length) ?? brokenOrder('page', pages, text.length);
  return order ?? brokenSpan(text, blocks, pages);
}

/**
 * What a chunker broke of its promises, in a few words, or null: slices lie in the text, none is empty unless the text
 * is, and a document with blocks of text has one.
 */
export function brokenSlices({ text, blocks }: CanonicalDocument, drafts: readonly ChunkDraft[]): string | null {
  for (const [i, { start, end }] of drafts.entries())
    if (!isRange(start, end, text.length) || (start === end && text !== ''))
      return `chunk ${i} has the range [${start}, ${end}) in a text of ${text.length}`;
  const hasText = drafts.length === 0 && blocks.some(({ start, end }) => start < end);
  return hasText ? 'it made no chunk of a document with text' : null;
}

/** The first chunk that is larger than the limit, in a few words, or null. */
export function oversizeChunk(chunks: readonly Chunk[], maxTokens: number): string | null {
  const large = chunks.find((chunk) => chunk.tokenEstimate > maxTokens);
  return large === undefined
    ? null
    : `chunk ${large.ordinal} has ${large.tokenEstimate} tokens, the limit is ${maxTokens}`;
}

function brokenSpan(
  text: string,
  blocks: ExtractedDocument['blocks'],
  pages: readonly { readonly page: number }[],
): string | null {
  const lines = countLines(text);
  const lastPage = pages.at(-1)?.page ?? 0;
  for (const [i, { sourceSpan: span }] of blocks.entries()) {
    const found =
      (span.kind === 'line' && !isWithin(span.start, span.end, lines) && `lines ${span.start} to ${span.end}`) ||
      (span.kind === 'code' &&
        !isWithin(span.line_start, span.line_end, lines) &&
        `lines ${span.line_start} to ${span.line_end}`) ||
      (span.kind === 'anchor' && parseAnchor(span.anchor) === null && `the place ${JSON.stringify(span.anchor)}`) ||
      (span.kind === 'page' && !isWithin(span.page, span.page, lastPage) && `page ${span.page}`);
    if (found === false) continue;
    if (span.kind === 'anchor') return `block ${i} names ${found}, which is none: write it as in cell=12`;
    return `block ${i} names ${found} of ${span.kind === 'page' ? lastPage : lines}`;
  }
  return null;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function isWithin(first: number, last: number, most: number): boolean {
  return Number.isInteger(first) && Number.isInteger(last) && 1 <= first && first <= last && last <= most;
}

function brokenOrder(what: string, ranges: readonly TextRange[], length: number): string | null {
  let end = 0;
  for (const [i, range] of ranges.entries()) {
    if (!isRange(range.start, range.end, length))
      return `${what} ${i} has the range [${range.start}, ${range.end}) in a text of ${length}`;
    if (range.start < end) return `${what} ${i} begins at ${range.start}, before the one in front of it ends`;
    end = range.end;
  }
  return null;
}

function isRange(start: number, end: number, length: number): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= length;
}
