import type { TextRange } from '../domain/block.ts';
import { type SizedText, sentenceStarts } from './cut-at-lines.ts';

/** A stretch of text that a chunk holds whole: a block, a sentence, a list item. */
export interface ChunkUnit extends TextRange {
  /** Whether a new chunk begins here, with no overlap: the unit opens a section or a page. */
  readonly opens: boolean;
  /** Where the unit's words begin, behind the headings it starts with; `start` when it has none. */
  readonly contentStart: number;
  /** Whether an overlap may begin at `contentStart`: a block or a sentence starts there. */
  readonly anchor: boolean;
  /** Whether an overlap may begin at a sentence inside. */
  readonly prose: boolean;
}

/** How far before the overlap the end of the sentence before it is looked for. */
const SENTENCE_END_CHARS = 20;

/** The sizes that {@link packSlices} keeps, in `est` tokens. */
export interface PackLimits {
  readonly targetTokens: number;
  readonly overlapTokens: number;
}

/**
 * Joins units to slices, in order, while a slice stays within the target; a single unit may exceed it. The next slice of
 * the same section begins up to `overlapTokens` earlier, at a block or sentence start behind the section's heading, as
 * long as that leaves the target kept; if there is no such start it does not overlap.
 */
export function packSlices(sized: SizedText, units: readonly ChunkUnit[], limits: PackLimits): readonly TextRange[] {
  const slices: TextRange[] = [];
  let first = 0;
  let start = units[0]?.start ?? 0;
  let bytes = 0;
  for (const [at, unit] of units.entries()) {
    const next = units[at + 1];
    bytes += at === 0 ? sized.sizer.bytes(start, unit.end) : 0;
    const grown = next === undefined ? 0 : bytes + sized.sizer.bytes(unit.end, next.end);
    if (next !== undefined && !next.opens && grown <= limits.targetTokens * 3) {
      bytes = grown;
      continue;
    }
    slices.push({ start, end: unit.end });
    if (next === undefined) break;
    start = next.start;
    if (next.opens || next.contentStart > next.start) first = at + 1;
    else start = overlapStart(sized, { units, first, next: at + 1 }, { slices, limits }) ?? start;
    bytes = sized.sizer.bytes(start, next.end);
  }
  return slices;
}

/** The earliest start that is allowed: behind the heading, in the last slice alone, within overlap and target. */
function overlapStart(
  { text, sizer }: SizedText,
  { units, first, next }: { readonly units: readonly ChunkUnit[]; readonly first: number; readonly next: number },
  { slices, limits }: { readonly slices: readonly TextRange[]; readonly limits: PackLimits },
): number | undefined {
  const last = slices.at(-1);
  const end = units[next]?.end;
  if (last === undefined || end === undefined || limits.overlapTokens === 0) return undefined;
  const least = Math.max(last.start + 1, slices.at(-2)?.end ?? 0, units[first]?.contentStart ?? 0);
  const fits = (from: number): boolean =>
    from >= least &&
    sizer.bytes(from, last.end) <= limits.overlapTokens * 3 &&
    sizer.bytes(from, end) <= limits.targetTokens * 3;
  let best: number | undefined;
  for (let at = next - 1; at >= first; at--) {
    const unit = units[at];
    if (unit === undefined) break;
    const near = Math.max(unit.contentStart, last.end - limits.overlapTokens * 3 - SENTENCE_END_CHARS);
    if (unit.prose) best = sentenceStarts(text, near, unit.end).find(fits) ?? best;
    if (!fits(unit.contentStart)) break;
    if (unit.anchor) best = unit.contentStart;
  }
  return best;
}
