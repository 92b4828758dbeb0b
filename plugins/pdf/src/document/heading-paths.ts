import type { OutlineEntry } from './outline-entries.ts';

/** The vertical extent of a page, in its own units. */
export interface PageExtent {
  readonly bottom: number;
  readonly top: number;
}

/** What points at this share of a page, from above, opens it. */
const OPENING = 0.25;

/**
 * The headings in force on each page, outermost first: those of the deepest outline entry that the page begins under. An
 * entry that opens the page counts, with the deeper ones that follow it there; one further down is in force on the next.
 */
export function headingPaths(
  entries: readonly OutlineEntry[],
  extents: readonly PageExtent[],
): readonly (readonly string[])[] {
  const byPage = new Map<number, OutlineEntry[]>();
  for (const entry of entries) {
    const here = byPage.get(entry.page);
    if (here === undefined) byPage.set(entry.page, [entry]);
    else here.push(entry);
  }
  let current: readonly string[] = [];
  return extents.map((extent, at) => {
    const here = byPage.get(at + 1) ?? [];
    const [first] = here;
    const opens = first !== undefined && (current.length === 0 || isOpening(first, extent));
    const path = opens ? pathOf(deepestOf(here)) : current;
    current = pathOf(here.at(-1)) ?? current;
    return path ?? current;
  });
}

/** The end of the run of ever deeper entries that the page begins with. */
function deepestOf(entries: readonly OutlineEntry[]): OutlineEntry | undefined {
  const end = entries.findIndex((entry, at) => at > 0 && entry.above.length <= (entries[at - 1]?.above.length ?? 0));
  return entries[(end === -1 ? entries.length : end) - 1];
}

function isOpening({ top }: OutlineEntry, extent: PageExtent): boolean {
  return top === null || extent.top - top <= OPENING * (extent.top - extent.bottom);
}

function pathOf(entry: OutlineEntry | undefined): readonly string[] | undefined {
  return entry === undefined ? undefined : [...entry.above, entry.title];
}
