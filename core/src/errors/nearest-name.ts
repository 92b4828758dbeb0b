import editDistance from 'damerau-levenshtein';

/** No name is near this; comparing costs time and memory by the letter. */
const MAX_TYPED = 200;

/**
 * The known name nearest to what was typed, or undefined when none is near: at most a third of the letters may differ
 * (Damerau–Levenshtein distance with adjacent transpositions), and at least one must agree.
 */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > MAX_TYPED) return undefined;
  const wanted = typed.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase()).steps;
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  if (best === undefined) return undefined;
  const longest = Math.max(wanted.length, best.name.length);
  return best.distance < longest && best.distance <= Math.max(1, Math.floor(longest / 3)) ? best.name : undefined;
}
