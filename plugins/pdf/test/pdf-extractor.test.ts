import type { OcrText, PictureReading } from '@kebab/core';
import { assetFrom, silentCallContext } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PDF_CONFIG, type PdfConfig } from '../src/pdf-config.ts';
import { createPdfExtractor } from '../src/pdf-extractor.ts';
import { extract, pageTexts } from './extract.ts';
import { lines, makePdf, type TestPage } from './make-pdf.ts';

const WORDS = 'Enough words on this page to be of use.';
const page = (text: string): TestPage => ({ texts: lines([text], { x: 72, y: 700 }) });
const scan: TestPage = { picture: { width: 4, height: 4, grey: new Uint8Array(16).fill(200) } };
const OCR_ON = { ocr: 'auto', ocrFingerprint: 'fake@1' } as const;

describe('the extractor pdf', () => {
  it('joins pages with a blank line and creates a block for each page with text', async () => {
    const extracted = await extract(makePdf({ pages: [page('One'), {}, page('Three')] }));
    expect(extracted.text).toBe('One\n\n\n\nThree');
    expect(extracted.pages).toEqual([
      { page: 1, start: 0, end: 3 },
      { page: 2, start: 5, end: 5 },
      { page: 3, start: 7, end: 12 },
    ]);
    expect(extracted.blocks).toEqual([
      {
        kind: 'paragraph',
        start: 0,
        end: 3,
        headingPath: [],
        sourceSpan: { kind: 'page', page: 1, char_start: 0, char_end: 3 },
      },
      {
        kind: 'paragraph',
        start: 7,
        end: 12,
        headingPath: [],
        sourceSpan: { kind: 'page', page: 3, char_start: 0, char_end: 5 },
      },
    ]);
  });

  it('reads title, author and dates from the metadata of the file', async () => {
    const info = {
      Title: '  지식\n베이스 ',
      Author: 'Somebody',
      CreationDate: "D:20240102030405+09'00'",
      ModDate: 'D:20240506',
    };
    const { title, metadata } = await extract(makePdf({ pages: [page(WORDS)], info }));
    expect(title).toBe('지식 베이스');
    expect(metadata).toEqual({
      user: { author: 'Somebody' },
      createdAt: new Date('2024-01-01T18:04:05Z'),
      updatedAt: new Date('2024-05-06T00:00:00Z'),
    });
  });

  it.each(['', ' ', 'Untitled', 'untitled 1', '---'])('ignores the title %j', async (Title) => {
    expect((await extract(makePdf({ pages: [page(WORDS)], info: { Title } }))).title).toBeUndefined();
  });

  it('returns only metadata that the file contains', async () => {
    const { title, metadata, lang } = await extract(makePdf({ pages: [page(WORDS)], info: { CreationDate: 'soon' } }));
    expect({ title, metadata, lang }).toEqual({ title: undefined, metadata: {}, lang: undefined });
  });

  it('reads the headings of a page from the outline', async () => {
    const outline = [
      {
        title: '1장 소개',
        page: 1,
        children: [{ title: '1.1 배경', page: 1, children: [{ title: '가. 동기', page: 2 }] }],
      },
      { title: '2장 방법', page: 4 },
    ];
    const { blocks } = await extract(makePdf({ pages: [1, 2, 3, 4].map((n) => page(`page ${n}`)), outline }));
    expect(blocks.map(({ headingPath }) => headingPath)).toEqual([
      ['1장 소개', '1.1 배경'],
      ['1장 소개', '1.1 배경', '가. 동기'],
      ['1장 소개', '1.1 배경', '가. 동기'],
      ['2장 방법'],
    ]);
  });

  it('reports each page without usable text', async () => {
    const { warnings, pictures } = await extract(makePdf({ pages: [page(WORDS), scan, page('12')] }));
    expect(warnings).toEqual([
      { kind: 'scanned_candidate', note: 'page 2' },
      { kind: 'scanned_candidate', note: 'page 3' },
    ]);
    expect(pictures).toEqual([]);
  });

  it('uses the thresholds of its configuration', async () => {
    const bytes = makePdf({ pages: [page('12')] });
    expect((await extract(bytes, { minPageChars: 2 })).warnings).toEqual([]);
  });

  it('includes everything that affects the output in its fingerprint, but never the password', () => {
    const of = (config: Partial<PdfConfig>): string =>
      createPdfExtractor({ ...DEFAULT_PDF_CONFIG, ...config }).fingerprint?.() ?? '';
    const plain = of({});
    expect(of({ password: 'secret' })).toBe(plain);
    expect(of({ ocr: 'auto' })).toBe(plain); // there is no OCR engine
    expect(of({ ocrFingerprint: 'fake@1' })).toBe(plain); // nothing is read with it
    const others = [
      OCR_ON,
      { ...OCR_ON, ocr: 'always' as const },
      { ...OCR_ON, ocrFingerprint: 'fake@2' },
      { ...OCR_ON, ocrPixels: 1000 },
      { minPageChars: 1 },
      { minValidRatio: 0.4 },
      { pageTimeoutMs: 1 },
    ].map(of);
    expect(new Set([plain, ...others]).size).toBe(others.length + 1);
  });

  it('settles immediately when the signal fires during extraction', async () => {
    const stop = new AbortController();
    const bytes = makePdf({ pages: Array.from({ length: 50 }, () => page(WORDS)) });
    const context = { ...silentCallContext(stop.signal), progress: () => stop.abort() };
    const work = createPdfExtractor().extract({ asset: assetFrom('a.pdf', bytes), bytes }, context);
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('reports its progress', async () => {
    const told: unknown[] = [];
    const bytes = makePdf({ pages: [page(WORDS), page(WORDS)] });
    const context = { ...silentCallContext(), progress: (progress: unknown) => void told.push(progress) };
    await createPdfExtractor().extract({ asset: assetFrom('a.pdf', bytes), bytes }, context);
    expect(told).toEqual([
      { done: 1, total: 2, note: 'page' },
      { done: 2, total: 2, note: 'page' },
    ]);
  });

  it('terminates its thread when closed, and starts another when used again', async () => {
    const extractor = createPdfExtractor();
    const bytes = makePdf({ pages: [page(WORDS)] });
    const run = (): Promise<{ readonly text: string }> =>
      extractor.extract({ asset: assetFrom('a.pdf', bytes), bytes }, silentCallContext());
    expect((await run()).text).toBe(WORDS);
    await extractor.close?.();
    expect((await run()).text).toBe(WORDS);
    await extractor.close?.();
  });
});

describe('pages read by OCR', () => {
  const bytes = makePdf({ pages: [page(WORDS), scan, page(WORDS)] });

  it('are requested if text is missing, and get their text in a second call', async () => {
    const first = await extract(bytes, OCR_ON);
    expect(first.pictures).toEqual([{ id: 'page=2', page: 2, uses: ['ocr'] }]);
    expect(first.warnings).toEqual([{ kind: 'scanned_candidate', note: 'page 2' }]);
    const second = await extract(bytes, OCR_ON, new Map([['page=2', reading('read from\r\nthe picture  ')]]));
    expect(pageTexts(second)).toEqual([WORDS, 'read from\nthe picture', WORDS]);
    expect(second.blocks[1]?.sourceSpan).toEqual({ kind: 'page', page: 2, char_start: 0, char_end: 21 });
    expect([second.pictures, second.warnings]).toEqual([[], []]);
  });

  it('are all pages if OCR is always on; its text replaces theirs', async () => {
    const always = { ...OCR_ON, ocr: 'always' } as const;
    expect((await extract(bytes, always)).pictures?.map(({ id }) => id)).toEqual(['page=1', 'page=2', 'page=3']);
    const readings = new Map([1, 2, 3].map((n) => [`page=${n}`, reading(`picture ${n}`)]));
    expect(pageTexts(await extract(bytes, always, readings))).toEqual(['picture 1', 'picture 2', 'picture 3']);
  });

  it('keep their own text, and are reported, if OCR found nothing', async () => {
    const poor = makePdf({ pages: [page('12'), scan] });
    const nothing = new Map([
      ['page=1', { ocr: null, caption: null }],
      ['page=2', reading(' \n ')],
    ]);
    const { text, pictures, warnings } = await extract(poor, OCR_ON, nothing);
    expect([text, pictures]).toEqual(['12\n\n', []]);
    expect(warnings?.map(({ note }) => note)).toEqual(['page 1', 'page 2']);
  });

  it('are not requested without an engine', async () => {
    expect((await extract(bytes, { ocr: 'always' })).pictures).toEqual([]);
  });
});

function reading(joined: string): PictureReading {
  const ocr: OcrText = { joined, regions: [], engine: 'fake', engineVersion: '1' };
  return { ocr, caption: null };
}
