import { deflateSync } from 'node:zlib';
import type { PluginFixtures } from '@kebab/plugin/testing';

const LANGUAGES = { languages: ['eng', 'kor'] };

/** Input of the suite: a picture with words, and one without. */
export const fixtures: PluginFixtures = {
  ocr: {
    '{{id}}': (make) => ({
      make,
      fixtures: [
        { name: 'a tape', ...tape('The old lighthouse\n등대 하나'), ...LANGUAGES, words: ['old', '등대'] },
        { name: 'an empty tape', ...tape('\n\n'), ...LANGUAGES, words: [] },
      ],
    }),
  },
};

const SQUARE = 8;

/** Draws a punched tape as a grayscale PNG. */
export function tape(text: string): { readonly png: Uint8Array; readonly width: number; readonly height: number } {
  const bytes = Buffer.from(text);
  const [width, height] = [bytes.length * SQUARE, 8 * SQUARE];
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const bit = 7 - Math.floor(y / SQUARE);
      rows[y * (width + 1) + 1 + x] = (((bytes[Math.floor(x / SQUARE)] ?? 0) >> bit) & 1) === 1 ? 0 : 255;
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [part('IHDR', head), part('IDAT', deflateSync(rows)), part('IEND', Buffer.alloc(0))];
  return { png: new Uint8Array(Buffer.concat([signature, ...parts])), width, height };
}

function part(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(checksum(body));
  return Buffer.concat([length, body, sum]);
}

/** CRC-32, the checksum at the end of each PNG chunk. */
function checksum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}
