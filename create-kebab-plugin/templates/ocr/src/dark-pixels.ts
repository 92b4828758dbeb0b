import { inflateSync } from 'node:zlib';

/** A picture in black and white. */
export interface DarkPixels {
  readonly width: number;
  readonly height: number;
  isDark(x: number, y: number): boolean;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Number of channels by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
const MAX_BYTES = 2 ** 28;

/** The pixels of a PNG with eight bits per channel, the kind kebab writes; null for anything else. */
export function darkPixels(png: Uint8Array, threshold: number): DarkPixels | null {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(SIGNATURE)) return null;
  const [width, height, depth, color] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25] ?? 0];
  const step = CHANNELS[color] ?? 0;
  const stride = width * step;
  if (depth !== 8 || step === 0 || bytes[28] !== 0 || (stride + 1) * height > MAX_BYTES) return null;
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const rows = unpacked(Buffer.concat(parts), (stride + 1) * height);
  if (rows === null) return null;
  for (let y = 0; y < height; y++) unfilter(rows, { from: y * (stride + 1), stride, step, isFirst: y === 0 });
  return { width, height, isDark: (x, y) => (rows[y * (stride + 1) + 1 + x * step] ?? 255) < threshold };
}

function unpacked(data: Uint8Array, length: number): Uint8Array | null {
  try {
    const rows = inflateSync(data, { maxOutputLength: length });
    return rows.length === length ? rows : null;
  } catch {
    return null;
  }
}

interface Row {
  /** Offset of the row, at its filter type. */
  readonly from: number;
  readonly stride: number;
  readonly step: number;
  readonly isFirst: boolean;
}

/** Reverses the filter of a row in place, as described in chapter 9 of the PNG specification. */
function unfilter(rows: Uint8Array, { from, stride, step, isFirst }: Row): void {
  const filter = rows[from];
  for (let i = 0; i < stride; i++) {
    const at = from + 1 + i;
    const left = i < step ? 0 : (rows[at - step] ?? 0);
    const up = isFirst ? 0 : (rows[at - stride - 1] ?? 0);
    const corner = isFirst || i < step ? 0 : (rows[at - stride - 1 - step] ?? 0);
    const [byLeft, byUp, byCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs) as [
      number,
      number,
      number,
    ];
    const paeth = byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner;
    const expected = [0, left, up, (left + up) >> 1, paeth][filter ?? 0] ?? 0;
    rows[at] = (rows[at] ?? 0) + expected;
  }
}
