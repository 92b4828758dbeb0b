import { describe, expect, it } from 'vitest';
import { imageFormat } from '../../src/extract/open-image.ts';
import { bitmap, samplePicture, twoPages } from '../sample-images.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the format of an image', () => {
  it('is recognised by its first bytes', async () => {
    const picture = samplePicture();
    expect(imageFormat(await picture.clone().png().toBuffer())).toBe('png');
    expect(imageFormat(await picture.clone().jpeg().toBuffer())).toBe('jpeg');
    expect(imageFormat(await picture.clone().webp().toBuffer())).toBe('webp');
    expect(imageFormat(await twoPages('gif'))).toBe('gif');
    expect(imageFormat(await twoPages('tiff'))).toBe('tiff');
    expect(imageFormat(Uint8Array.of(0x4d, 0x4d, 0, 0x2a, 0, 0, 0, 8))).toBe('tiff');
    expect(imageFormat(bitmap({ width: 1, height: 1, bits: 24, rows: [[1, 2, 3]] }))).toBe('bmp');
  });

  it.each([
    ['nothing', ''],
    ['text', 'Hello, this is no picture at all'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>'],
    ['SVG behind a declaration', '<?xml version="1.0"?><svg/>'],
    ['PDF', '%PDF-1.7 and more'],
    ['the beginning of a bitmap alone', 'BM'],
    ['sound in a RIFF file', 'RIFFxxxxWAVEfmt '],
  ])('is unknown for %s', (_, text) => {
    expect(imageFormat(bytesOf(text))).toBeNull();
  });
});
