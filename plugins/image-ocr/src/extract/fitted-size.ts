/** A size in whole pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a picture whose longer edge is at most `maxPixels`, its shape kept; never larger than it is. */
export function fittedSize({ width, height }: PixelSize, maxPixels: number): PixelSize {
  const scale = Math.min(1, maxPixels / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
