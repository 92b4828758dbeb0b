/** One marker in what a model wrote. */
export interface Marker {
  readonly number: number;
  /** Where it stands: `[start, end)` in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Markers that stand together, with nothing but white space between them. */
export type MarkerGroup = readonly Marker[];

/** Every marker `[#n]` with n from 1 to `passages`, in order. */
export function parseMarkers(text: string, passages: number): readonly Marker[] {
  return [...text.matchAll(/\[#(\d{1,3})\]/g)]
    .map((match) => ({ number: Number(match[1]), start: match.index, end: match.index + match[0].length }))
    .filter(({ number }) => number >= 1 && number <= passages);
}

/** Markers in groups: those that follow one another directly cite the same words. */
export function groupMarkers(text: string, markers: readonly Marker[]): readonly MarkerGroup[] {
  const groups: Marker[][] = [];
  for (const marker of markers) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && /^\s*$/.test(text.slice(before.end, marker.start)))
      last.push(marker);
    else groups.push([marker]);
  }
  return groups;
}
