import type { Block, TextRange } from '../../domain/block.ts';

/** Consecutive blocks of a document, `[first, last]` by position; `last < first` when there are none. */
export interface BlockRun {
  readonly first: number;
  readonly last: number;
}

/**
 * The blocks that each slice intersects. An empty slice takes the blocks that reach its place. Blocks are in order and
 * disjoint; slices are in order of their start.
 */
export function blockRuns(blocks: readonly Block[], slices: readonly TextRange[]): readonly BlockRun[] {
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
