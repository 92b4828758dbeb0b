import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The vertical extent of a page, in its own units. */
export interface PageExtent {
  readonly bottom: number;
  readonly top: number;
}

/** An entry that points into this share of a page, from the top, opens the page. */
const OPENING = 0.25;

/**
 * The headings of each page, outermost first: those of the deepest outline entry under which the page begins. An entry that opens the page
 * counts, together with the deeper ones that follow it there; one further down counts from the next page on.
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

/** The last of the increasingly deep entries with which the page begins. */
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

/** One line of a file's outline. */
interface OutlineEntry {
  /** On one line; never empty. */
  readonly title: string;
  /** The titles above it, outermost first. */
  readonly above: readonly string[];
  /** 1-based. */
  readonly page: number;
  /** Its position on the page, in the page's own units from the bottom; null for the page as a whole. */
  readonly top: number | null;
}

interface OutlineNode {
  readonly title: string;
  readonly dest: string | readonly unknown[] | null;
  readonly items: readonly OutlineNode[];
}

/** Longer outlines are truncated. */
const MAX_ENTRIES = 5000;
const MAX_DEPTH = 12;
const MAX_TITLE = 300;

/** The outline of a file from top to bottom, without entries that have no title or target; empty if there is none. */
export async function outlineEntries(pdf: PDFDocumentProxy): Promise<readonly OutlineEntry[]> {
  const outline = (await pdf.getOutline().catch(() => null)) as readonly OutlineNode[] | null;
  const entries: OutlineEntry[] = [];
  await addEntries(entries, outline ?? [], { pdf, above: [] });
  return entries;
}

async function addEntries(
  entries: OutlineEntry[],
  nodes: readonly OutlineNode[],
  { pdf, above }: { readonly pdf: PDFDocumentProxy; readonly above: readonly string[] },
): Promise<void> {
  for (const { title: given, dest, items } of nodes) {
    if (entries.length >= MAX_ENTRIES) return;
    const title = given
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, MAX_TITLE);
    const target = title === '' ? undefined : await targetOf(pdf, dest).catch(() => undefined);
    if (target !== undefined) entries.push({ title, above, ...target });
    if (above.length < MAX_DEPTH)
      await addEntries(entries, items, { pdf, above: title === '' ? above : [...above, title] });
  }
}

async function targetOf(
  pdf: PDFDocumentProxy,
  dest: OutlineNode['dest'],
): Promise<Pick<OutlineEntry, 'page' | 'top'> | undefined> {
  const explicit: readonly unknown[] | null = typeof dest === 'string' ? await pdf.getDestination(dest) : dest;
  const [target, view, ...numbers] = explicit ?? [];
  if (target === undefined || target === null) return undefined;
  const index =
    typeof target === 'number' ? target : await pdf.getPageIndex(target as Parameters<typeof pdf.getPageIndex>[0]);
  if (!Number.isInteger(index) || index < 0 || index >= pdf.numPages) return undefined;
  const top = numbers[TOP_AT[(view as { readonly name?: string } | undefined)?.name ?? ''] ?? -1];
  return { page: index + 1, top: typeof top === 'number' ? top : null };
}

/** The index of a destination's vertical position, by its kind. */
const TOP_AT: Readonly<Record<string, number>> = { XYZ: 1, FitH: 0, FitBH: 0, FitR: 3 };
