import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { Block, TextRange } from '../domain/block.ts';
import type { ReadSlice } from './whole-lines.ts';

/** The text of one page, or null when the document has no such page. */
export function pageText(store: Pick<DocumentStore, 'readText'>, document: DocumentRow, page: number): string | null {
  const range = document.pages.find((candidate) => candidate.page === page);
  return range === undefined ? null : store.readText(document.docId, range.start, range.end);
}

/** The caption of an image that a range lies in, with the model that wrote it. */
export function captionAt(blocks: readonly Block[], range: TextRange): (TextRange & { readonly model: string }) | null {
  for (const block of blocks) {
    if (block.kind !== 'imageref' || block.caption === null || block.ocr !== null) continue;
    if (range.start < block.end && block.start < range.end)
      return { start: block.start, end: block.end, model: block.caption.model };
  }
  return null;
}

/** The caption of an image, or null when it has none. */
export function captionText(blocks: readonly Block[], read: ReadSlice): string | null {
  const caption = blocks.find((block) => block.kind === 'imageref' && block.caption !== null && block.ocr === null);
  return caption === undefined ? null : read(caption.start, caption.end);
}

/** The text that OCR read in an image; empty when it read nothing. */
export function ocrText(blocks: readonly Block[], read: ReadSlice): string {
  const parts = blocks.filter((block) => block.kind === 'imageref' && block.caption === null);
  const last = parts.at(-1);
  return parts[0] === undefined || last === undefined ? '' : read(parts[0].start, last.end);
}
