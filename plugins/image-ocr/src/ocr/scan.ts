import { loadSharp, type Sharp } from '../load-sharp.ts';
import type { Box } from './page-reading.ts';

/** How a picture is prepared for reading. */
export interface ScanView {
  /** By how much it is enlarged; 1 leaves it as it is. */
  readonly scale: number;
  /** Whether it stands on its head. */
  readonly isTurned: boolean;
}

/** Softens the steps that enlarging leaves, which read like strokes. */
const SOFTENING = 0.8;

/** A picture in shades of grey, kept in memory to be looked at in several ways. */
export class Scan {
  readonly width: number;
  readonly height: number;
  readonly #sharp: Sharp;
  readonly #grey: Buffer;

  private constructor(sharp: Sharp, grey: Buffer, size: { readonly width: number; readonly height: number }) {
    this.#sharp = sharp;
    this.#grey = grey;
    this.width = size.width;
    this.height = size.height;
  }

  static async open(png: Uint8Array): Promise<Scan> {
    const sharp = await loadSharp();
    const image = sharp(png, { failOn: 'error' }).flatten({ background: '#fff' }).greyscale().raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return new Scan(sharp, data, info);
  }

  /** The picture as a file that Tesseract reads. */
  async view({ scale, isTurned }: ScanView): Promise<Buffer> {
    const { width, height } = this;
    let image = this.#sharp(this.#grey, { raw: { width, height, channels: 1 } });
    if (scale !== 1) image = image.resize({ width: Math.round(width * scale) }).blur(SOFTENING);
    if (isTurned) image = image.rotate(180);
    return image.toColourspace('b-w').png({ compressionLevel: 1 }).toBuffer();
  }

  /** A box of a view as a box of the picture. */
  place({ scale, isTurned }: ScanView, box: Box): Box {
    const x0 = box.x0 / scale;
    const y0 = box.y0 / scale;
    const x1 = box.x1 / scale;
    const y1 = box.y1 / scale;
    const { width, height } = this;
    return isTurned ? { x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 } : { x0, y0, x1, y1 };
  }
}
