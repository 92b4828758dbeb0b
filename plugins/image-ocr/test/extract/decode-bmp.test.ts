import { describe, expect, it } from 'vitest';
import { decodeBmp } from '../../src/extract/decode-bmp.ts';
import { bitmap } from '../sample-images.ts';

/** The pixels as one colour per pixel, `rrggbb`, row by row. */
function pixelsOf(file: Uint8Array): readonly (readonly string[])[] {
  const { width, height, rgb } = decodeBmp(file);
  const pixel = (x: number, y: number): string =>
    rgb.subarray((y * width + x) * 3, (y * width + x + 1) * 3).toString('hex');
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (__, x) => pixel(x, y)));
}

const two = { width: 2, height: 2 };
const COLORS = [
  ['ff0000', '00ff00'],
  ['0000ff', 'ffffff'],
];

describe('a Windows bitmap', () => {
  it('of 24 bits is stored bottom up, in rows padded to four bytes', () => {
    const rows = [
      [255, 0, 0, 255, 255, 255],
      [0, 0, 255, 0, 255, 0],
    ];
    expect(pixelsOf(bitmap({ ...two, bits: 24, rows }))).toEqual(COLORS);
  });

  it('of negative height is stored top down', () => {
    const rows = [
      [0, 0, 255, 0, 255, 0],
      [255, 0, 0, 255, 255, 255],
    ];
    expect(pixelsOf(bitmap({ ...two, bits: 24, rows, isTopDown: true }))).toEqual(COLORS);
  });

  it.each([
    [
      1,
      [[0b0100_0000], [0b1000_0000]],
      [0xff0000, 0x00ff00],
      [
        ['00ff00', 'ff0000'],
        ['ff0000', '00ff00'],
      ],
    ],
    [4, [[0x23], [0x01]], [0xff0000, 0x00ff00, 0x0000ff, 0xffffff], COLORS],
    [
      8,
      [
        [2, 3],
        [0, 1],
      ],
      [0xff0000, 0x00ff00, 0x0000ff, 0xffffff],
      COLORS,
    ],
  ])('of %i bits looks its colours up', (bits, rows, palette, expected) => {
    expect(pixelsOf(bitmap({ ...two, bits, rows, palette }))).toEqual(expected);
  });

  it('of 16 bits has five per colour, unless masks say otherwise', () => {
    const rows = [
      [0x1f, 0x00, 0xff, 0x7f],
      [0x00, 0x7c, 0xe0, 0x03],
    ];
    expect(pixelsOf(bitmap({ ...two, bits: 16, rows }))).toEqual(COLORS);
    const masks = [0xf800, 0x07e0, 0x001f];
    const masked = [
      [0x1f, 0x00, 0xff, 0xff],
      [0x00, 0xf8, 0xe0, 0x07],
    ];
    expect(pixelsOf(bitmap({ ...two, bits: 16, rows: masked, masks, compression: 3 }))).toEqual(COLORS);
  });

  it('of 32 bits has an unused fourth byte', () => {
    const rows = [
      [255, 0, 0, 7, 255, 255, 255, 7],
      [0, 0, 255, 7, 0, 255, 0, 7],
    ];
    expect(pixelsOf(bitmap({ ...two, bits: 32, rows }))).toEqual(COLORS);
  });

  it.each([
    ['is cut short', bitmap({ ...two, bits: 24, rows: [[1, 2, 3]] }), 'the file is cut short'],
    ['ends in its header', Buffer.from('BM0000000000000000000000000'), 'the header is cut short'],
    ['is packed', bitmap({ ...two, bits: 8, rows: [], compression: 1 }), 'packed bitmaps are not read'],
    ['has no pixels', bitmap({ width: 0, height: 2, bits: 24, rows: [] }), 'the image has no pixels'],
    ['has an odd depth', bitmap({ ...two, bits: 2, rows: [] }), 'bitmaps of 2 bits are not read'],
  ])('that %s is refused', (_, file, message) => {
    expect(() => decodeBmp(file)).toThrow(message);
  });
});
