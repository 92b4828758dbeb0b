import type { Block, TextRange } from '../domain/block.ts';

/** The caption of an image that a range lies in, with the model that wrote it. */
export function captionAt(blocks: readonly Block[], range: TextRange): (TextRange & { readonly model: string }) | null {
  for (const block of blocks) {
    if (block.kind !== 'imageref' || block.caption === null || block.ocr !== null) continue;
    if (range.start < block.end && block.start < range.end)
      return { start: block.start, end: block.end, model: block.caption.model };
  }
  return null;
}

/** Where the caption of an image lies; null when it has none. */
export function captionRange(blocks: readonly Block[]): TextRange | null {
  return blocks.find((block) => block.kind === 'imageref' && block.caption !== null && block.ocr === null) ?? null;
}

/** Where the text lies that OCR read in an image; null when it read nothing. */
export function ocrRange(blocks: readonly Block[]): TextRange | null {
  const parts = blocks.filter((block) => block.kind === 'imageref' && block.caption === null);
  const last = parts.at(-1);
  return parts[0] === undefined || last === undefined ? null : { start: parts[0].start, end: last.end };
}
