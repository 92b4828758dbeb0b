import type { Chunk } from '../../domain/chunk.ts';
import type { UriFragment } from '../../domain/uri.ts';
import type { Citation } from '../../wire/index.ts';

/** Whether a chunk, cited as a hit would be, intersects what a fragment designates; without one every chunk does. */
export function chunkMeets(
  { sourceSpans }: Pick<Chunk, 'sourceSpans'>,
  citation: Citation,
  fragment: UriFragment | null,
): boolean {
  if (fragment === null) return true;
  switch (fragment.kind) {
    case 'line':
      if (citation.kind === 'line') return overlap(citation.start, citation.end, fragment.start, fragment.end);
      if (citation.kind !== 'code') return false;
      return overlap(citation.line_start, citation.line_end, fragment.start, fragment.end);
    case 'page': // a chunk over two pages is cited by its first
      return sourceSpans.some((span) => span.kind === 'page' && span.page === fragment.page);
    case 'region':
      if (citation.kind !== 'region') return false;
      return (
        overlap(citation.x, citation.x + citation.w - 1, fragment.x, fragment.x + fragment.w - 1) &&
        overlap(citation.y, citation.y + citation.h - 1, fragment.y, fragment.y + fragment.h - 1)
      );
    case 'caption':
      return citation.kind === 'caption';
    case 'time':
      return citation.kind === 'time' && overlap(citation.start_ms, citation.end_ms, fragment.startMs, fragment.endMs);
    default:
      return fragment satisfies never;
  }
}

/** Whether two ranges have a point in common; both include their ends. */
function overlap(start: number, end: number, otherStart: number, otherEnd: number): boolean {
  return start <= otherEnd && otherStart <= end;
}
