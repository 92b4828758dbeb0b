/** Nobody mistypes more than this; comparing costs time and memory by the letter. */
const LONGEST_TYPED = 200;

/**
 * The known name nearest to what was typed, or undefined when none is near: at most a third of the letters may differ
 * (Damerau–Levenshtein distance with adjacent transpositions), and at least one must agree.
 */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  if (typed.length > LONGEST_TYPED) return undefined;
  const wanted = typed.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  if (best === undefined) return undefined;
  const longest = Math.max(wanted.length, best.name.length);
  return best.distance < longest && best.distance <= Math.max(1, Math.floor(longest / 3)) ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const cells = Array.from({ length: (a.length + 1) * width }, () => 0);
  const at = (i: number, j: number): number => cells[i * width + j] ?? 0;
  for (let i = 0; i <= a.length; i++) cells[i * width] = i;
  for (let j = 0; j <= b.length; j++) cells[j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, at(i - 2, j - 2) + 1);
      cells[i * width + j] = value;
    }
  }
  return at(a.length, b.length);
}
