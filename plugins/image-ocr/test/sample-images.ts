import sharp, { type Sharp } from 'sharp';

/** A plain picture, wider than high: 60 × 40 pixels, its left half red, the rest white. */
export function samplePicture(): Sharp {
  const left = { create: { width: 30, height: 40, channels: 3, background: '#ff0000' } } as const;
  return sharp({ create: { width: 60, height: 40, channels: 3, background: '#ffffff' } }).composite([
    { input: left, left: 0, top: 0 },
  ]);
}

/** Two pictures one above the other, as pages of a file: the first 60 × 40 pixels white, the second black. */
export async function twoPages(format: 'tiff' | 'gif'): Promise<Buffer> {
  const page = { width: 60, height: 40, channels: 3 } as const;
  const pageOf = (background: string): Promise<Buffer> =>
    sharp({ create: { ...page, background } })
      .png()
      .toBuffer();
  const pages = [await pageOf('#ffffff'), await pageOf('#000000')];
  const image = sharp(pages, { join: { animated: true } });
  return format === 'tiff' ? image.tiff().toBuffer() : image.gif({ delay: [100, 100] }).toBuffer();
}

/** The contents of a bitmap. */
export interface BitmapOptions {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  /** The rows as stored in the file, without padding. */
  readonly rows: readonly (readonly number[])[];
  readonly palette?: readonly number[];
  readonly isTopDown?: boolean;
  readonly compression?: number;
  readonly masks?: readonly number[];
}

/** A Windows bitmap, byte by byte. */
export function bitmap({ width, height, bits, rows, palette = [], masks = [], ...options }: BitmapOptions): Buffer {
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  const pixels = 54 + masks.length * 4 + palette.length * 4;
  const file = Buffer.alloc(pixels + rowBytes * rows.length);
  file.write('BM', 0, 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(pixels, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(options.isTopDown === true ? -height : height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(bits, 28);
  file.writeUInt32LE(options.compression ?? 0, 30);
  file.writeUInt32LE(palette.length, 46);
  for (const [i, mask] of masks.entries()) file.writeUInt32LE(mask, 54 + i * 4);
  for (const [i, color] of palette.entries()) file.writeUInt32LE(color, 54 + masks.length * 4 + i * 4);
  for (const [i, row] of rows.entries()) file.set(row, pixels + i * rowBytes);
  return file;
}

/** A PNG file that claims this size but contains almost no data. */
export async function claimingPng(width: number, height: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** The checksum of PNG; Node has one only from 22 on. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}
