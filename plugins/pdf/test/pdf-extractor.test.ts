import type { ExtractedDocument, OcrText, PictureReading } from '@kebab/core';
import { assetFrom, silentCallContext } from '@kebab/testing';
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

  it.each(['', ' ', 'Untitled', 'untitled 1', '(anonymous)', '---'])('ignores the title %j', async (Title) => {
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

  it('reports the pages without usable text, once', async () => {
    const { warnings, pictures } = await extract(makePdf({ pages: [page(WORDS), scan, scan, page('12')] }));
    expect(warnings).toEqual([{ kind: 'scanned_candidate', note: 'pages 2–3' }]);
    expect(pictures).toEqual([]);
  });

  it.each([
    ['a page on which there is nothing', {}, []],
    ['a page with its number alone', { texts: lines(['7'], { x: 300, y: 40 }) }, []],
    ['a page with a frame and a line', { operators: '10 10 500 700 re S 10 60 m 500 60 l S' }, []],
    ['a picture', { picture: { width: 2, height: 2, grey: Uint8Array.from([0, 9, 99, 255]) } }, ['page 2']],
    [
      'a picture with a number',
      { texts: lines(['7'], { x: 300, y: 40 }), picture: { width: 1, height: 1, grey: Uint8Array.from([9]) } },
      ['page 2'],
    ],
    ['letters that are drawn as shapes', { operators: '10 10 9 9 re f '.repeat(40) }, ['page 2']],
  ])('calls a page a scan only if there could be words on it: %s', async (_, second, notes) => {
    const words = { texts: lines(['Enough words on this page to be of use.'], { x: 72, y: 700 }) };
    const { warnings = [] } = await extract(makePdf({ pages: [words, second, words] }));
    expect(warnings.map(({ note }) => note)).toEqual(notes);
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
    expect(warnings?.map(({ note }) => note)).toEqual(['pages 1–2']);
  });

  it('are not requested without an engine', async () => {
    expect((await extract(bytes, { ocr: 'always' })).pictures).toEqual([]);
  });
});

describe('a short text layer', () => {
  const short = (text: string, font: 'latin' | 'korean' | 'any' = 'latin'): Uint8Array =>
    makePdf({ pages: [{ texts: lines([text], { x: 72, y: 700, font }) }] });

  it.each([
    ['an English title', 'Volume Three', 'latin', 'Vo1ume Thr3e .'],
    ['a Korean line', '항구의 등대', 'korean', 'ㅁ ㄱ == 으 항 7 | 오 ㄴ'],
    ['a Japanese line', '灯台と港', 'any', 'AT & BE 1 tt'],
    ['a Chinese line', '港口与灯塔', 'any', 'rn 4L TT'],
    ['a slide', 'Results 2031', 'any', 'Resu1ts\n2O31\n--'],
  ] as const)('of %s is kept when OCR reads it worse', async (_, text, font, ocr) => {
    const bytes = short(text, font);
    expect((await extract(bytes, OCR_ON)).warnings).toEqual([]);
    const read = await extract(bytes, OCR_ON, new Map([['page=1', reading(ocr)]]));
    expect([read.text, read.warnings]).toEqual([text, []]);
  });

  it('of a scan, such as a number, gives way to what OCR reads', async () => {
    const scanned = 'A whole page of words that only a picture has, with number 12';
    expect((await extract(short('12'), OCR_ON, new Map([['page=1', reading(scanned)]]))).text).toBe(scanned);
  });
});

describe('annotations and form fields', () => {
  const noted = (...annotations: readonly string[]): Promise<ExtractedDocument> =>
    extract(makePdf({ pages: [page(WORDS), { ...page('Second page'), annotations }] }));
  const at = (y: number): string => `/Rect [72 ${y} 200 ${y + 20}] /F 4`;

  it.each([
    [
      'a field with a label',
      `/Subtype /Widget /FT /Tx /T (f1[0].c3[0]) /TU (Town) /V <FEFFBD80C0B0> ${at(600)}`,
      'Form field Town: 부산',
    ],
    [
      'a choice',
      `/Subtype /Widget /FT /Ch /Ff 131072 /T (Wood) /Opt [[(a) (Ash)] [(o) (Oak)]] /V (o) ${at(600)}`,
      'Form field Wood: Oak',
    ],
    [
      'a checked box',
      `/Subtype /Widget /FT /Btn /T (Insured) /V /Yes /AS /Yes /AP << /N << /Yes null /Off null >> >> ${at(600)}`,
      'Form field Insured: checked',
    ],
    ['a text box', `/Subtype /FreeText /DA (/L 10 Tf) /Contents (typed on top) ${at(600)}`, 'Text box: typed on top'],
    [
      'a comment on underlined words',
      `/Subtype /Underline /T (Bo) /Contents (why?) /QuadPoints [72 620 99 620 72 600 99 600] ${at(600)}`,
      'Comment by Bo: why?',
    ],
    ['a stamp', `/Subtype /Stamp /Contents (Received in March) ${at(600)}`, 'Stamp: Received in March'],
  ])('%s is a block of its page', async (_, annotation, expected) => {
    const { text, blocks } = await noted(annotation);
    const block = blocks.at(-1);
    expect(text.slice(block?.start, block?.end)).toBe(expected);
    expect(block?.sourceSpan).toEqual({ kind: 'page', page: 2, char_start: 13, char_end: 13 + expected.length });
  });

  it.each([
    [
      'a box that is not checked',
      `/Subtype /Widget /FT /Btn /T (Insured) /V /Off /AS /Off /AP << /N << /Yes null /Off null >> >> ${at(600)}`,
    ],
    ['an empty field', `/Subtype /Widget /FT /Tx /T (City) ${at(600)}`],
    ['a password', `/Subtype /Widget /FT /Tx /Ff 8192 /T (Key) /V (sesame) ${at(600)}`],
    ['a hidden note', '/Subtype /Text /Contents (secret) /Rect [72 600 90 620] /F 2'],
    ['a link', `/Subtype /Link /Contents (elsewhere) ${at(600)}`],
    ['a highlight without a comment', `/Subtype /Highlight /QuadPoints [72 620 99 620 72 600 99 600] ${at(600)}`],
  ])('%s adds nothing', async (_, annotation) => {
    expect((await noted(annotation)).text).toBe(`${WORDS}\n\nSecond page`);
  });

  it('are in the order of the page', async () => {
    const note = (text: string, y: number): string => `/Subtype /Text /Contents (${text}) ${at(y)}`;
    const { text } = await noted(note('lower', 300), note('upper', 600));
    expect(text).toBe(`${WORDS}\n\nSecond page\n\nNote: upper\n\nNote: lower`);
  });
});

function reading(joined: string): PictureReading {
  const ocr: OcrText = { joined, regions: [], engine: 'fake', engineVersion: '1' };
  return { ocr, caption: null };
}
