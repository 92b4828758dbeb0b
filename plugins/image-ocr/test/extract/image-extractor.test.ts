import { assetFrom, silentCallContext } from '@kebab/testing';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createImageExtractor } from '../../src/extract/image-extractor.ts';
import { DEFAULT_IMAGE_CONFIG } from '../../src/image-config.ts';
import { extractImage, ocrOf } from '../image-documents.ts';
import { bitmap, claimingPng, samplePicture, twoPages } from '../sample-images.ts';

const png = await samplePicture().png().toBuffer();
const caption = { text: ' A red field.\n', model: 'moondream', modelVersion: '2' };
const READS = { ocr: 'tesseract/x', caption: 'ollama/x' };

describe('the image extractor', () => {
  it('creates one empty block without requests if OCR and captions are off', async () => {
    const document = await extractImage(png);
    expect(document).toMatchObject({ text: '', metadata: { user: { image: { width: 60, height: 40 } } } });
    expect(document.blocks).toMatchObject([
      {
        kind: 'imageref',
        start: 0,
        end: 0,
        ocr: null,
        caption: null,
        sourceSpan: { kind: 'region', x: 0, y: 0, w: 60, h: 40 },
      },
    ]);
    expect(document).not.toHaveProperty('pictures');
    expect(document).not.toHaveProperty('title');
  });

  it('requests what is configured, once', async () => {
    expect((await extractImage(png, { config: READS })).pictures).toEqual([
      { id: 'image', page: null, uses: ['ocr', 'caption'] },
    ]);
    expect(await extractImage(png, { config: READS, readings: {} })).not.toHaveProperty('pictures');
  });

  it('returns the text line by line, and the caption after a blank line as a separate block', async () => {
    const { text, blocks } = await extractImage(png, { readings: { image: { ocr: ocrOf('one', 'two'), caption } } });
    expect(text).toBe('one\ntwo\n\nA red field.');
    expect(blocks).toMatchObject([
      { start: 0, end: 7, ocr: { joined: 'one\ntwo' }, caption: null },
      { start: 9, end: 21, ocr: null, caption: { text: 'A red field.', model: 'moondream' } },
    ]);
  });

  it('returns only the caption if there is no text', async () => {
    const { text, blocks } = await extractImage(png, { readings: { image: { caption } } });
    expect([text, blocks.map(({ start, end }) => [start, end])]).toEqual([
      'A red field.',
      [
        [0, 0],
        [0, 12],
      ],
    ]);
  });

  it('returns boxes in pixels of the upright image, whatever size was read', async () => {
    const large = await sharp({ create: { width: 400, height: 1000, channels: 3, background: '#fff' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { blocks } = await extractImage(large, {
      config: { ocrPixels: 250 },
      readings: { image: { ocr: ocrOf('a') } },
    });
    expect(blocks).toMatchObject([
      { sourceSpan: { w: 1000, h: 400 }, ocr: { regions: [{ bbox: [20, 0, 200, 40], text: 'a' }] } },
    ]);
  });

  it('reads every page of a TIFF, but only the first picture of an animation', async () => {
    const pages = await extractImage(await twoPages('tiff'), { config: READS });
    expect(pages.pictures).toEqual([
      { id: 'page=1', page: 1, uses: ['ocr', 'caption'] },
      { id: 'page=2', page: 2, uses: ['ocr'] },
    ]);
    const readings = { 'page=1': { ocr: ocrOf('one'), caption }, 'page=2': { ocr: ocrOf('two') } };
    expect((await extractImage(await twoPages('tiff'), { readings })).text).toBe('one\n\ntwo\n\nA red field.');
    expect((await extractImage(await twoPages('gif'), { config: READS })).pictures).toHaveLength(1);
  });

  it('keeps EXIF metadata', async () => {
    const jpeg = await samplePicture()
      .withExif({ IFD0: { Model: 'K 100' } })
      .jpeg()
      .toBuffer();
    expect((await extractImage(jpeg)).metadata?.user).toEqual({ image: { width: 60, height: 40, camera: 'K 100' } });
  });

  it.each<[string, () => Promise<Uint8Array>, RegExp]>([
    ['is text', async () => new TextEncoder().encode('no picture at all'), /^a\.png is not an image/],
    ['is empty', async () => new Uint8Array(), /^a\.png is not an image/],
    ['is a drawing', async () => new TextEncoder().encode('<svg width="9" height="9"/>'), /^a\.png is not an image/],
    ['claims 100,000 × 100,000 pixels', () => claimingPng(100_000, 100_000), /^a\.png /],
    ['claims 41 megapixels', () => claimingPng(41_000, 1000), /^a\.png .*(?:40 megapixels|pixel limit)/],
    ['ends in its header', async () => png.subarray(0, 20), /^a\.png is damaged and cannot be read: /],
    ['is a packed bitmap', async () => bitmap({ width: 1, height: 1, bits: 8, rows: [], compression: 1 }), /packed/],
  ])('refuses a file that %s, by name', async (_, bytes, message) => {
    const failure = extractImage(await bytes());
    await expect(failure).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message) as string,
    });
  });

  it('has a different fingerprint for every engine, and for the size that is read', () => {
    const of = (config: object): string =>
      createImageExtractor({ ...DEFAULT_IMAGE_CONFIG, ...config }).fingerprint?.() ?? '';
    const all = [{}, { ocr: 'a' }, { ocr: 'b' }, { caption: 'a' }, { ocr: 'a', ocrPixels: 100 }].map(of);
    expect(new Set(all).size).toBe(all.length);
    expect([of({ timeoutMs: 1 }), of({ dataDir: '/x' }), of({ ocrPixels: 100 })]).toEqual([of({}), of({}), of({})]);
  });
});

describe('a rendered picture', () => {
  async function render(bytes: Uint8Array, request: object) {
    const extractor = createImageExtractor(DEFAULT_IMAGE_CONFIG);
    const input = {
      asset: assetFrom('a.png', bytes),
      bytes,
      readings: new Map([['image', { ocr: ocrOf('one', 'two'), caption: null }]]),
    };
    const picture = await extractor.render?.(
      input,
      { picture: 'image', maxPixels: 2048, ...request },
      silentCallContext(),
    );
    if (picture === undefined) throw new TypeError('it renders');
    const { data, info } = await sharp(picture.png).raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number): string => {
      const at = (y * info.width + x) * info.channels;
      return data.subarray(at, at + 3).toString('hex');
    };
    return { size: [picture.width, picture.height], file: [info.width, info.height], pixel };
  }

  it('is upright according to its EXIF orientation', async () => {
    const lying = await samplePicture().withMetadata({ orientation: 6 }).png().toBuffer();
    const { size, file, pixel } = await render(lying, {});
    expect([size, file]).toEqual([
      [40, 60],
      [40, 60],
    ]);
    expect([pixel(20, 5), pixel(20, 55)]).toEqual(['ff0000', 'ffffff']);
  });

  it('is never larger than the original or the requested size', async () => {
    expect((await render(png, { maxPixels: 5000 })).file).toEqual([60, 40]);
    const { size, file } = await render(png, { maxPixels: 30 });
    expect([size, file]).toEqual([
      [30, 20],
      [30, 20],
    ]);
  });

  it('has a white background where it is transparent, and eight bits', async () => {
    const clear = { create: { width: 4, height: 4, channels: 4, background: '#00000000' } } as const;
    const deep = await sharp(clear).toColourspace('rgb16').png().toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    expect((await render(deep, {})).pixel(1, 1)).toBe('ffffff');
  });

  it('shows the pixels of a bitmap', async () => {
    const file = bitmap({ width: 2, height: 1, bits: 24, rows: [[0, 0, 255, 0, 255, 0]] });
    const { pixel } = await render(file, {});
    expect([pixel(0, 0), pixel(1, 0)]).toEqual(['ff0000', '00ff00']);
  });

  it('has an outline around a box, given directly or as a range of its text', async () => {
    const plain = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const boxed = await render(plain, { outline: { x: 10, y: 10, w: 20, h: 20 } });
    expect([boxed.pixel(6, 20), boxed.pixel(20, 20), boxed.pixel(50, 35)]).toEqual(['e02020', 'ffffff', 'ffffff']);
    const marked = await render(plain, { marks: [{ x: 10, y: 10, w: 20, h: 20 }] });
    expect([marked.pixel(20, 20), marked.pixel(50, 20)]).toEqual(['ffe14d', 'ffffff']);
    const line = await render(plain, { outline: { start: 4, end: 7 } });
    expect([line.pixel(1, 15), line.pixel(20, 15), line.pixel(20, 3)]).toEqual(['e02020', 'ffffff', 'ffffff']);
  });

  it.each(['page=1', 'image ', 'page=2', ''])('does not exist for %j', async (picture) => {
    await expect(render(png, { picture })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'picture' },
    });
  });

  it('cannot be created from a file cut in half', async () => {
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    });
    const jpeg = await noise.jpeg().toBuffer();
    await expect(render(jpeg.subarray(0, jpeg.length / 2), {})).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^a\.png is damaged and cannot be read: /) as string,
    });
  });
});
