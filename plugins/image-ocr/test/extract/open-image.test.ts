import { assetFrom } from '@kebab/testing';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageFormat, openImage } from '../../src/extract/open-image.ts';
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

describe('the transparent parts of an image', () => {
  const corner = async (drawing: string, format: 'png' | 'webp' = 'png'): Promise<number | undefined> => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80">${drawing}</svg>`;
    const bytes = await sharp(Buffer.from(svg)).toFormat(format).toBuffer();
    const { parts } = await openImage({ asset: assetFrom(`a.${format}`, bytes), bytes });
    return (await parts[0].open().raw().toBuffer())[0];
  };
  const bar = (fill: string): string => `<rect x="20" y="30" width="160" height="20" fill="${fill}"/>`;
  const [white, black] = [255, 0];

  it.each([
    ['white on nothing', bar('#fff'), black],
    ['light grey on nothing', bar('#ddd'), black],
    ['light yellow on nothing', bar('#fff3a0'), black],
    ['mostly light, with a dark mark', bar('#fff') + '<rect x="20" y="30" width="9" height="9"/>', black],
    ['black on nothing', bar('#000'), white],
    ['dark blue on nothing', bar('#1a2b6d'), white],
    ['dark text on a light card', `<rect x="9" width="190" height="80" fill="#fff"/>${bar('#000')}`, white],
    ['nothing at all', '', white],
  ])('are seen on the background with contrast: %s', async (_, drawing, background) => {
    expect(await corner(drawing)).toBe(background);
    expect(await corner(drawing, 'webp')).toBe(background);
  });
});
