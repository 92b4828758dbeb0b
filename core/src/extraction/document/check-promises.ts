import type { ExtractedDocument } from '../../contracts/extractor.ts';
import { parseAnchor } from '../../domain/anchor.ts';
import type { TextRange } from '../../domain/block.ts';
import type { Chunk, ChunkDraft, CanonicalDocument } from '../../domain/document.ts';
import type { SourceSpan } from '../../domain/span.ts';

/**
 * Checks the contract of extractors: ranges of blocks and pages are in bounds, in order and disjoint, and spans name existing lines and
 * pages. Returns a short description of the first violation, or null.
 */
export function brokenExtraction({ text, blocks, pages = [] }: ExtractedDocument): string | null {
  const order = brokenOrder('block', blocks, text.length) ?? brokenOrder('page', pages, text.length);
  if (order !== null) return order;
  const places = placesOf(text, pages);
  for (const [i, { sourceSpan }] of blocks.entries()) {
    const fault = spanFault(sourceSpan, places);
    if (fault !== null) return `block ${i} ${fault}`;
  }
  return null;
}

/**
 * Checks the contract of chunkers: slices lie within the text, none is empty unless the text is blank, spans name existing lines and pages, and
 * a document with text in its blocks has a slice. Returns a short description of the first violation, or null.
 */
export function brokenSlices(document: CanonicalDocument, drafts: readonly ChunkDraft[]): string | null {
  const { text, blocks } = document;
  let places: Places | undefined;
  for (const [i, { start, end, sourceSpans }] of drafts.entries()) {
    if (!isRange(start, end, text.length) || (start === end && /\S/.test(text)))
      return `chunk ${i} has the range [${start}, ${end}) in a text of ${text.length}`;
    const spans = sourceSpans ?? NO_SPANS;
    if (spans.length === 0) continue;
    const fault = firstSpanFault(spans, (places ??= placesOf(text, document.pages)));
    if (fault !== null) return `chunk ${i} ${fault}`;
  }
  const hasText = drafts.length === 0 && blocks.some(({ start, end }) => start < end);
  return hasText ? 'it made no chunk of a document with text' : null;
}

/** A short description of the first chunk that exceeds the limit, or null. */
export function oversizeChunk(chunks: readonly Chunk[], maxTokens: number): string | null {
  const large = chunks.find((chunk) => chunk.tokenEstimate > maxTokens);
  return large === undefined
    ? null
    : `chunk ${large.ordinal} has ${large.tokenEstimate} tokens, the limit is ${maxTokens}`;
}

const NO_SPANS: readonly SourceSpan[] = [];

/** The lines and pages of a document. */
interface Places {
  readonly lines: number;
  readonly lastPage: number;
}

function placesOf(text: string, pages: readonly { readonly page: number }[]): Places {
  return { lines: countLines(text), lastPage: pages.at(-1)?.page ?? 0 };
}

function firstSpanFault(spans: readonly SourceSpan[], places: Places): string | null {
  for (const span of spans) {
    const fault = spanFault(span, places);
    if (fault !== null) return fault;
  }
  return null;
}

/** What is wrong with a span, worded to follow the name of its block or chunk; null for a valid span. */
function spanFault(span: SourceSpan, { lines, lastPage }: Places): string | null {
  switch (span.kind) {
    case 'line':
      return isWithin(span.start, span.end, lines) ? null : noSuchLines(span.start, span.end, lines);
    case 'code':
      return isWithin(span.line_start, span.line_end, lines)
        ? null
        : noSuchLines(span.line_start, span.line_end, lines);
    case 'page':
      return isWithin(span.page, span.page, lastPage) ? null : `names page ${span.page} of ${lastPage}`;
    case 'anchor':
      return typeof span.anchor === 'string' && parseAnchor(span.anchor) !== null
        ? null
        : `names the anchor ${JSON.stringify(span.anchor)}, which is not valid: write it like cell=12`;
    case 'region':
      return [span.x, span.y, span.w, span.h].every((value) => Number.isFinite(value))
        ? null
        : `names a region by [${span.x}, ${span.y}, ${span.w}, ${span.h}], which are not four numbers`;
    case 'time':
      return isRange(span.start_ms, span.end_ms, Infinity)
        ? null
        : `names the time from ${span.start_ms} to ${span.end_ms} ms`;
    case 'byte':
      return isRange(span.start, span.end, Infinity) ? null : `names the bytes from ${span.start} to ${span.end}`;
    default:
      return `has a span of the unknown kind ${JSON.stringify((span as { readonly kind?: unknown }).kind)}`;
  }
}

function noSuchLines(start: number, end: number, lines: number): string {
  return `names lines ${start} to ${end} of ${lines}`;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

function isWithin(first: number, last: number, max: number): boolean {
  return Number.isInteger(first) && Number.isInteger(last) && 1 <= first && first <= last && last <= max;
}

function brokenOrder(what: string, ranges: readonly TextRange[], length: number): string | null {
  let end = 0;
  for (const [i, range] of ranges.entries()) {
    if (!isRange(range.start, range.end, length))
      return `${what} ${i} has the range [${range.start}, ${range.end}) in a text of ${length}`;
    if (range.start < end) return `${what} ${i} begins at ${range.start}, before the end of the previous ${what}`;
    end = range.end;
  }
  return null;
}

function isRange(start: number, end: number, length: number): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= length;
}
