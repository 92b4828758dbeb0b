import type { OcrText } from '@kebab/core';

/** The same text with its boxes in pixels of the image, of which the picture that was read is `scale` times as large. */
export function inImagePixels(
  ocr: OcrText,
  scale: number,
  size: { readonly width: number; readonly height: number },
): OcrText {
  const regions = ocr.regions.map(({ bbox: [x, y, w, h], text, confidence }) => {
    const x0 = Math.min(Math.floor(x / scale), size.width - 1);
    const y0 = Math.min(Math.floor(y / scale), size.height - 1);
    const x1 = Math.min(Math.ceil((x + w) / scale), size.width);
    const y1 = Math.min(Math.ceil((y + h) / scale), size.height);
    return { bbox: [x0, y0, Math.max(1, x1 - x0), Math.max(1, y1 - y0)] as const, text, confidence };
  });
  return { ...ocr, regions };
}
