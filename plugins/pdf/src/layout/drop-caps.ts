import { topOf, type TextRun } from './text-run.ts';

/** How much larger than the text beside it a letter is that reaches down over several lines. */
const MIN_SIZE = 1.8;
/** The widest gap between it and the rest of its word, in multiples of the size of that. */
const MAX_GAP = 0.8;

/**
 * Joins the first letter of a paragraph, set large over several lines, to the rest of its word. `runs` are in the order of the stream. `A`,
 * `I` and `O` stay alone, because they may be words.
 */
export function joinDropCaps(runs: readonly TextRun[]): readonly TextRun[] {
  return runs.flatMap((run, at) => {
    if (isDropCap(run, runs[at + 1])) return [];
    const cap = runs[at - 1];
    return cap !== undefined && isDropCap(cap, run) ? [{ ...run, text: cap.text + run.text, u0: cap.u0 }] : [run];
  });
}

function isDropCap(cap: TextRun, rest: TextRun | undefined): boolean {
  if (rest === undefined || rest.turn !== cap.turn || cap.size < MIN_SIZE * rest.size) return false;
  const gap = (rest.u0 - cap.u1) / rest.size;
  const isBeside = Math.abs(gap) <= MAX_GAP && topOf(cap) < rest.v && rest.v <= cap.v - MAX_GAP * rest.size;
  return isBeside && /^[^\P{Lu}AIO]$/u.test(cap.text) && /^\p{L}/u.test(rest.text);
}
