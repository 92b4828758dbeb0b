/** Pixels, row by row from the top, three bytes each: red, green, blue. */
export interface DecodedBitmap {
  readonly width: number;
  readonly height: number;
  readonly rgb: Buffer;
}

/** The layout of a bitmap file, and the format of its pixels. */
interface BitmapHeader {
  readonly width: number;
  readonly height: number;
  /** Whether the first row in the file is the top one; usually it is the bottom one. */
  readonly isTopDown: boolean;
  readonly bits: number;
  readonly pixels: number;
  readonly palette: number;
  /** Bytes per palette entry. */
  readonly paletteEntry: number;
  readonly paletteColors: number;
  /** Masks of red, green and blue; null if pixels are indexes or bytes. */
  readonly masks: readonly [number, number, number] | null;
}

const CORE_HEADER = 12;
const RGB = 0;
const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;
const BITS = [1, 4, 8, 16, 24, 32];

/** The width and height in the header of a bitmap. Throws a plain `Error` if it is not a readable bitmap. */
export function bitmapSize(bytes: Uint8Array): { readonly width: number; readonly height: number } {
  const { width, height } = headerOf(viewOf(bytes));
  return { width, height };
}

/**
 * Decodes an uncompressed Windows bitmap: 1, 4 or 8 bits with a palette, 16 and 32 with masks, 24. Throws a plain `Error` for a truncated
 * or compressed file.
 */
export function decodeBmp(bytes: Uint8Array): DecodedBitmap {
  const view = viewOf(bytes);
  const header = headerOf(view);
  const { width, height, bits, isTopDown, pixels } = header;
  const rowBytes = Math.ceil((width * bits) / 32) * 4;
  if (pixels + rowBytes * height > bytes.length) throw new Error('the file is cut short');
  const rgb = Buffer.alloc(width * height * 3);
  const colorAt = colorReader(view, header);
  for (let y = 0; y < height; y++) {
    const row = pixels + rowBytes * (isTopDown ? y : height - 1 - y);
    for (let x = 0; x < width; x++) rgb.writeUIntBE(colorAt(row, x), (y * width + x) * 3, 3);
  }
  return { width, height, rgb };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function headerOf(view: DataView): BitmapHeader {
  const least = 14 + CORE_HEADER;
  const size = view.byteLength < least ? 0 : view.getUint32(14, true);
  if (size < CORE_HEADER || view.byteLength < 14 + size) throw new Error('the header is cut short');
  const pixels = view.getUint32(10, true);
  if (size === CORE_HEADER) {
    const bits = supportedBits(view.getUint16(24, true));
    const shape = sizeOf(view.getUint16(18, true), view.getUint16(20, true));
    return { ...shape, bits, pixels, palette: 26, paletteEntry: 3, paletteColors: 2 ** bits, masks: null };
  }
  const bits = supportedBits(view.getUint16(28, true));
  const compression = view.getUint32(30, true);
  if (![RGB, BITFIELDS, ALPHA_BITFIELDS].includes(compression)) throw new Error('packed bitmaps are not read');
  const used = size >= 36 ? view.getUint32(46, true) : 0;
  return {
    ...sizeOf(view.getInt32(18, true), view.getInt32(22, true)),
    bits,
    pixels,
    palette: 14 + size,
    paletteEntry: 4,
    paletteColors: used === 0 ? 2 ** bits : used,
    masks: bits === 16 || bits === 32 ? masksOf(view, bits, compression) : null,
  };
}

function supportedBits(bits: number): number {
  if (!BITS.includes(bits)) throw new Error(`bitmaps of ${bits} bits are not read`);
  return bits;
}

function sizeOf(width: number, height: number): Pick<BitmapHeader, 'width' | 'height' | 'isTopDown'> {
  if (width <= 0 || height === 0) throw new Error('the image has no pixels');
  return { width, height: Math.abs(height), isTopDown: height < 0 };
}

function masksOf(view: DataView, bits: number, compression: number): readonly [number, number, number] {
  if (compression === RGB) return bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff];
  if (view.byteLength < 66) throw new Error('the header is cut short');
  return [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true)];
}

/** Returns a function that reads the color of a pixel as 0xRRGGBB. */
function colorReader(view: DataView, header: BitmapHeader): (row: number, x: number) => number {
  const { bits, masks } = header;
  if (bits === 24) return (row, x) => view.getUint16(row + x * 3, true) | (view.getUint8(row + x * 3 + 2) << 16);
  if (masks !== null) {
    const [red, green, blue] = masks.map(channelReader) as [ChannelReader, ChannelReader, ChannelReader];
    return (row, x) => {
      const pixel = bits === 16 ? view.getUint16(row + x * 2, true) : view.getUint32(row + x * 4, true);
      return (red(pixel) << 16) | (green(pixel) << 8) | blue(pixel);
    };
  }
  const colors = paletteOf(view, header);
  const perByte = 8 / bits;
  return (row, x) => {
    const byte = view.getUint8(row + Math.floor(x / perByte));
    const index = (byte >> (8 - bits * ((x % perByte) + 1))) & (2 ** bits - 1);
    return colors[index] ?? 0;
  };
}

type ChannelReader = (pixel: number) => number;

function channelReader(mask: number): ChannelReader {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const most = mask >>> shift;
  return (pixel) => Math.round((((pixel & mask) >>> shift) * 255) / most);
}

function paletteOf(view: DataView, { palette, paletteEntry, paletteColors, bits }: BitmapHeader): readonly number[] {
  const count = Math.min(paletteColors, 2 ** bits);
  if (palette + count * paletteEntry > view.byteLength) throw new Error('the palette is cut short');
  return Array.from({ length: count }, (_, i) => {
    const at = palette + i * paletteEntry;
    return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  });
}
