import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { OcrText, Picture, RenderRequest } from '@kebab/core';
import { assetFrom, silentCallContext } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PDF_CONFIG } from '../../src/pdf-config.ts';
import { createPdfExtractor } from '../../src/pdf-extractor.ts';
import { lines, makePdf } from '../make-pdf.ts';

const left = lines(
  Array.from({ length: 12 }, (_, at) => `left line number ${at} fills its column`),
  { x: 60, y: 740 },
);
const right = lines(
  Array.from({ length: 12 }, (_, at) => `right line number ${at} fills its column`),
  { x: 320, y: 740 },
);
const bytes = makePdf({ pages: [{}, { texts: [...left, ...right] }, { size: [400, 200], rotate: 90 }] });

describe('the picture of a page', () => {
  it('has the requested longer edge, and a white background', async () => {
    const { png, width, height } = await render({ picture: 'page=1', maxPixels: 421 });
    expect([width, height]).toEqual([298, 421]);
    expect(sizeOf(png)).toEqual([298, 421]);
    expect(await coloursOf({ png, width, height })).toEqual(new Set(['255,255,255']));
  });

  it('is upright whatever the rotation of the page', async () => {
    const { width, height } = await render({ picture: 'page=3', maxPixels: 400 });
    expect([width, height]).toEqual([200, 400]);
  });

  it('has at most forty million pixels', async () => {
    const { width, height } = await render({ picture: 'page=1', maxPixels: 100_000 });
    expect(width * height).toBeLessThan(40.1e6);
  });

  it('renders the words of a page', async () => {
    expect((await coloursOf(await render({ picture: 'page=2', maxPixels: 842 }))).size).toBeGreaterThan(10);
  });

  it('has a red frame of three pixels around the lines of a range, one in each column', async () => {
    const text = await pageText();
    const outline = { start: text.indexOf('left line number 10'), end: text.indexOf('right line number 1 ') };
    const frames = await redOf(await render({ picture: 'page=2', maxPixels: 842, outline }));
    // The last two lines of the left column, the first of the right one; one pixel is a point.
    expect(frames.rows.filter(({ length }) => length > 100).map(({ y }) => y)).toHaveLength(4 * 3);
    const [top, bottom] = [842 - (740 - 10 * 14), 842 - (740 - 11 * 14)];
    expect(frames.at(120, top - 14)).toBe(true);
    expect(frames.at(120, bottom + 6)).toBe(true);
    expect(frames.at(120, (top + bottom) / 2)).toBe(false);
    expect(frames.at(400, 842 - 740 - 14)).toBe(true);
    for (const y of [top - 8, top - 4, top]) expect([frames.at(58, y), frames.at(60, y)]).toEqual([false, false]);
  });

  it('highlights words in place, without hiding them', async () => {
    const text = await pageText();
    const start = text.indexOf('number 10');
    const marked = await render({ picture: 'page=2', maxPixels: 842, marks: [{ start, end: start + 6 }] });
    const yellow = await yellowOf(marked);
    const baseline = 842 - (740 - 10 * 14);
    expect(yellow.y0).toBeGreaterThan(baseline - 12);
    expect(yellow.y1).toBeLessThan(baseline + 5);
    expect(yellow.x0).toBeGreaterThan(85); // "left line" is before it
    expect(yellow.x1).toBeLessThan(170);
    expect((await coloursOf(marked)).size).toBeGreaterThan(10);
  });

  it('has its text with positions on request, in reading order, in pixels of the picture', async () => {
    const plain = await render({ picture: 'page=2', maxPixels: 842 });
    expect(plain.texts).toBeUndefined();
    const { texts = [] } = await render({ picture: 'page=2', maxPixels: 1684, withText: true });
    expect(texts.map(({ text }) => text).join('\n')).toBe((await pageText()).trim());
    const tenth = texts.find(({ text }) => text.startsWith('right line number 10'));
    expect(tenth).toMatchObject({ line: 22, turn: 0 });
    const baseline = 2 * (842 - (740 - 10 * 14));
    expect(tenth?.x).toBeCloseTo(640, -1);
    expect([tenth?.y ?? 0, (tenth?.y ?? 0) + (tenth?.h ?? 0)].map((y) => y > baseline)).toEqual([false, true]);
  });

  it('has text with positions that OCR read', async () => {
    const region = { text: 'read by OCR', confidence: 1, bbox: [200, 300, 400, 40] } as const;
    const ocr: OcrText = { joined: 'read by OCR', regions: [region], engine: 'fake', engineVersion: '1' };
    const readings = new Map([['page=1', { ocr, caption: null }]]);
    const { texts } = await render({ picture: 'page=1', maxPixels: 1024, withText: true }, readings);
    expect(texts).toMatchObject([{ text: 'read by OCR', line: 0 }]);
    const [{ x, y, w, h } = { x: 0, y: 0, w: 0, h: 0 }] = texts ?? [];
    expect([x, y, w, h].map(Math.round)).toEqual([100, 150, 200, 20]);
  });

  it('has a frame around a box given in pixels of the OCR picture', async () => {
    const outline = { x: 200, y: 400, w: 100, h: 50 };
    const { at, count } = await redOf(await render({ picture: 'page=1', maxPixels: 1024, outline }));
    expect([at(150, 199), at(150, 226), at(99, 212), at(151, 212), at(120, 212)]).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(count).toBeGreaterThan(3 * 2 * (50 + 25));
    expect(count).toBeLessThan(3 * 2 * (50 + 25) + 100);
  });

  it('has a frame around OCR text', async () => {
    const ocr: OcrText = {
      joined: 'one\ntwo\nthree',
      regions: ['one', 'two', 'three'].map((text, at) => ({
        text,
        confidence: 1,
        bbox: [200, 300 * at + 200, 400, 40],
      })),
      engine: 'fake',
      engineVersion: '1',
    };
    const readings = new Map([['page=1', { ocr, caption: null }]]);
    const picture = await render({ picture: 'page=1', maxPixels: 2048, outline: { start: 4, end: 7 } }, readings);
    const { at, count } = await redOf(picture);
    expect([at(400, 493), at(400, 546), at(400, 198), at(400, 798)]).toEqual([true, true, false, false]);
    expect(count).toBeGreaterThan(0);
  });

  it.each(['page=4', 'page=0', 'page=01', 'page=', 'image', 'page=1 '])(
    'does not exist under the name %j',
    async (picture) => {
      await expect(render({ picture, maxPixels: 100 })).rejects.toMatchObject({
        code: 'invalid_input',
        details: { field: 'picture', value: picture },
      });
    },
  );
});

type Readings = Parameters<typeof input>[0];

function render(request: RenderRequest, readings?: Readings): Promise<Picture> {
  const extractor = createPdfExtractor(DEFAULT_PDF_CONFIG);
  if (extractor.render === undefined) throw new Error('it renders nothing');
  return extractor.render(input(readings), request, silentCallContext());
}

function input(readings?: ReadonlyMap<string, { readonly ocr: OcrText; readonly caption: null }>) {
  return { asset: assetFrom('a.pdf', bytes), bytes, ...(readings === undefined ? {} : { readings }) };
}

async function pageText(): Promise<string> {
  const { text, pages = [] } = await createPdfExtractor().extract(input(), silentCallContext());
  return text.slice(pages[1]?.start, pages[1]?.end);
}

/** The size in the header of a PNG. */
function sizeOf(png: Uint8Array): readonly number[] {
  const header = Buffer.from(png);
  expect(header.subarray(1, 4).toString()).toBe('PNG');
  return [header.readUInt32BE(16), header.readUInt32BE(20)];
}

async function pixelsOf({ png, width, height }: Picture): Promise<Uint8ClampedArray> {
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(await loadImage(Buffer.from(png)), 0, 0);
  return context.getImageData(0, 0, width, height).data;
}

async function coloursOf(picture: Picture): Promise<ReadonlySet<string>> {
  const data = await pixelsOf(picture);
  const colours = new Set<string>();
  for (let at = 0; at < data.length; at += 4) colours.add(data.subarray(at, at + 3).join(','));
  return colours;
}

/** The box around highlighted pixels. */
async function yellowOf(picture: Picture) {
  const data = await pixelsOf(picture);
  const box = { x0: Infinity, y0: Infinity, x1: -1, y1: -1 };
  for (let y = 0; y < picture.height; y++)
    for (let x = 0; x < picture.width; x++) {
      const offset = 4 * (y * picture.width + x);
      if (data[offset] !== 255 || data[offset + 1] !== 225 || data[offset + 2] !== 77) continue;
      box.x0 = Math.min(box.x0, x);
      box.x1 = Math.max(box.x1, x);
      box.y0 = Math.min(box.y0, y);
      box.y1 = Math.max(box.y1, y);
    }
  return box;
}

/** The pure red parts of a picture. */
async function redOf(picture: Picture) {
  const data = await pixelsOf(picture);
  const at = (x: number, y: number): boolean => {
    const offset = 4 * (Math.round(y) * picture.width + Math.round(x));
    return data[offset] === 255 && data[offset + 1] === 0 && data[offset + 2] === 0;
  };
  const rows = Array.from({ length: picture.height }, (_, y) => ({
    y,
    length: Array.from({ length: picture.width }, (__, x) => at(x, y)).filter(Boolean).length,
  }));
  return { at, rows, count: rows.reduce((sum, { length }) => sum + length, 0) };
}
