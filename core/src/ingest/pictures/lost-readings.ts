import type { CanonicalDocument } from '../../domain/document.ts';
import type { ExtractWarning } from '../../domain/metadata.ts';
import { pagesIn } from '../../documents/ocr-pages.ts';

/** A file extracted again. */
interface ExtractedAnew {
  readonly document: Pick<CanonicalDocument, 'text' | 'pages' | 'provenance'>;
  readonly warnings: readonly ExtractWarning[];
}

const PAGE = 'page ';

/**
 * Whether text that a model read in the pictures of a file would be lost if what was extracted now took the place of what is
 * stored: another engine, none, or one that failed. A page that now has usable text of its own loses nothing.
 */
export function losesReadings(
  stored: Pick<CanonicalDocument, 'provenance'>,
  { document, warnings }: ExtractedAnew,
): boolean {
  const poor = new Set(warnings.flatMap(({ kind, note }) => (kind === 'scanned_candidate' ? [note] : [])));
  const hasOwnText = (picture: string): boolean => {
    const page = document.pages?.find((range) => `${PAGE}${range.page}` === picture);
    return page !== undefined && page.end > page.start && !poor.has(picture);
  };
  return (['ocr_applied', 'caption_applied'] as const).some((kind) => {
    const now = picturesIn(document, kind);
    return [...picturesIn(stored, kind)].some((picture) => !now.has(picture) && !hasOwnText(picture));
  });
}

/** The names of the pictures that a model was applied to. */
function picturesIn(
  { provenance }: Pick<CanonicalDocument, 'provenance'>,
  use: 'ocr_applied' | 'caption_applied',
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, note } of provenance) {
    if (kind !== use || note === null) continue;
    const pages = pagesIn(note);
    for (const page of pages) names.add(`${PAGE}${page}`);
    if (pages.size === 0) names.add(note);
  }
  return names;
}
