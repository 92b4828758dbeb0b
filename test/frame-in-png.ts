import { inflateSync } from 'node:zlib';

/** The red pixels of a frame: their count, and their bounding box as left, top, right, bottom. */
export interface Frame {
  readonly count: number;
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
}

const SIGNATURE_BYTES = 8;
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };

/** Finds the red pixels of a PNG file with 8 bits per channel. Throws for any other PNG. */
export function frameInPng(png: Uint8Array): Frame {
  const { width, height, channels, rows } = readPng(Buffer.from(png));
  let count = 0;
  let [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      const [red = 0, green = 0, blue = 0] = rows.subarray(at, at + 3);
      if (channels < 3 || red < 200 || green > 60 || blue > 60) continue;
      [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
      count++;
    }
  return { count, box: [left, top, right, bottom] };
}

/** Decodes an image to its pixels, row by row. */
function readPng(file: Buffer) {
  const parts: Buffer[] = [];
  let head: Buffer = Buffer.alloc(0);
  for (let at = SIGNATURE_BYTES; at < file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') head = body;
    if (type === 'IDAT') parts.push(body);
    at += length + 12;
  }
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const channels = CHANNELS[head[9] ?? -1];
  if (channels === undefined || head[8] !== 8 || head[12] !== 0)
    throw new Error('this reader knows plain PNG files only');
  return { width, height, channels, rows: unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels) };
}

/** Undoes the PNG row filters; each row begins with its filter type. */
function unfiltered(data: Buffer, rowBytes: number, step: number): Buffer {
  const rows = Buffer.alloc((data.length / (rowBytes + 1)) * rowBytes);
  for (let from = 0, to = 0; from < data.length; from += rowBytes + 1, to += rowBytes) {
    const filter = data[from] ?? 0;
    for (let i = 0; i < rowBytes; i++) {
      const left = i < step ? 0 : (rows[to + i - step] ?? 0);
      const up = to === 0 ? 0 : (rows[to + i - rowBytes] ?? 0);
      const corner = to === 0 || i < step ? 0 : (rows[to + i - rowBytes - step] ?? 0);
      const guess = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)][filter] ?? 0;
      rows[to + i] = ((data[from + 1 + i] ?? 0) + guess) % 256;
    }
  }
  return rows;
}

/** The Paeth predictor: the neighbour nearest to `left + up - corner`. */
function paeth(left: number, up: number, corner: number): number {
  const plane = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(plane - left), Math.abs(plane - up), Math.abs(plane - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
