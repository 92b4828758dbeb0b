import type { Picture } from '../../contracts/extractor.ts';
import type { ModelCaption, OcrText } from '../../domain/block.ts';

/** What is wrong with what an OCR engine read, as one line; null when it keeps its promises. */
export function faultInText(text: OcrText, { width, height }: Pick<Picture, 'width' | 'height'>): string | null {
  for (const { bbox, confidence } of text.regions) {
    const [x, y, w, h] = bbox;
    const isInside = x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= width && y + h <= height;
    if (!isInside) return `a box of ${bbox.join(', ')} does not lie in a picture of ${width} × ${height} pixels`;
    if (!(confidence >= 0 && confidence <= 1)) return `a confidence is ${confidence}`;
  }
  return text.regions.map((region) => region.text).join('\n') === text.joined
    ? null
    : 'the joined text is not that of its regions, one a line';
}

/** What is wrong with what a captioner said, as one line; null when it keeps its promises. */
export function faultInCaption({ text }: ModelCaption): string | null {
  return text.trim() === '' ? 'the caption is empty' : null;
}
