import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEFAULT_POLICY, assertChunks, assertExtracted, assetFrom, documentFrom } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createPdfPageChunker } from '../src/chunk/pdf-page-chunker.ts';
import { openPdf } from '../src/document/open-pdf.ts';
import { outlineEntries } from '../src/document/heading-paths.ts';
import { DEFAULT_PDF_CONFIG } from '../src/pdf-config.ts';
import { extract, pageTexts } from './extract.ts';

const folder = fileURLToPath(new URL('../../../../shared/data/pdf/', import.meta.url));
const present = existsSync(folder);

interface Expectation {
  readonly file: string;
  readonly expect: 'text' | 'image-only' | 'no-text' | 'error';
  readonly pages?: number;
  readonly phrases: readonly { readonly page: number; readonly text: string }[];
  readonly outline?: readonly { readonly level: number; readonly title: string }[];
  readonly encrypted?: 'user' | 'owner';
  readonly password?: string;
}

const all = present ? (JSON.parse(readFileSync(`${folder}expectations.json`, 'utf8')) as readonly Expectation[]) : [];
const readable = all.filter((one) => one.expect === 'text');
const textless = all.filter((one) => one.expect === 'image-only' || one.expect === 'no-text');

describe.skipIf(!present)('the shared PDF files (skipped without ../shared)', () => {
  it('include at least five with text and three without', () => {
    expect(readable.length).toBeGreaterThanOrEqual(5);
    expect(textless.length).toBeGreaterThanOrEqual(3);
  });

  it('are read correctly when several are read at the same time', async () => {
    const files = readable.filter(({ password }) => password === undefined).slice(0, 4);
    const extracted = await Promise.all(files.map(({ file }) => read(file, '')));
    expect(extracted.map(({ pages = [], warnings = [] }) => [pages.length, warnings])).toEqual(
      files.map(({ pages }) => [
        pages,
        expect.not.arrayContaining([expect.objectContaining({ kind: 'extract_failed' })]),
      ]),
    );
  });

  it.each(readable)(
    '$file: $pages pages, with each phrase on its page',
    async ({ file, password = '', ...expected }) => {
      const extracted = await read(file, password);
      expect(extracted.pages).toHaveLength(expected.pages ?? 0);
      const texts = pageTexts(extracted).map(squeezed);
      for (const { page, text } of expected.phrases) expect(texts[page - 1]).toContain(squeezed(text));
      assertExtracted(extracted);
      const document = documentFrom(extracted, assetFrom(file, bytesOf(file)), 'pdf-text-v2');
      const chunks = createPdfPageChunker().chunk(document, DEFAULT_POLICY);
      assertChunks(document, chunks, { policy: DEFAULT_POLICY, overlap: 'tokens' });
      for (const { text } of expected.phrases.slice(0, 1))
        expect(
          chunks.some(({ start, end }) => squeezed(document.text.slice(start, end)).includes(squeezed(text))),
        ).toBe(true);
    },
  );

  it.each(all.filter(({ outline }) => outline !== undefined))(
    '$file: its outline',
    async ({ file, outline, password = '' }) => {
      const bytes = bytesOf(file);
      const config = { ...DEFAULT_PDF_CONFIG, password };
      const input = { asset: assetFrom(file, bytes), bytes };
      const context = { signal: new AbortController().signal };
      const entries = await openPdf(input, { config, context }, (pdf) => outlineEntries(pdf.document));
      expect(entries.map(({ above, title }) => ({ level: above.length, title }))).toEqual(outline);
      const { blocks } = await read(file, password);
      const titles = new Set(outline?.map(({ title }) => title));
      const used = blocks.flatMap(({ headingPath }) => headingPath);
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter((title) => !titles.has(title))).toEqual([]);
    },
  );

  it.each(textless)('$file ($expect) has no text, and reports that', async ({ file, pages = 1 }) => {
    const extracted = await read(file, '');
    expect(extracted.text.trim()).toBe('');
    expect(extracted.pages).toHaveLength(pages);
    const note = pages === 1 ? 'page 1' : `pages 1–${pages}`;
    expect(extracted.warnings).toEqual([{ kind: 'scanned_candidate', note }]);
  });

  it.each(
    all.filter(({ expect: kind, password, pages = 1 }) => kind !== 'error' && password === undefined && pages < 5),
  )('$file, which needs no password, is read the same when one is configured', async ({ file }) => {
    const plain = await read(file, '');
    expect((await extract(bytesOf(file), { password: 'of another file' })).text).toBe(plain.text);
  });

  it.each(all.filter(({ encrypted }) => encrypted === 'user'))(
    '$file opens only with its password',
    async ({ file }) => {
      const failure = {
        code: 'invalid_input',
        details: { field: 'pdf.password' },
        hint: /kebab ingest --pdf-password.*kebab config set pdf\.password/,
      };
      for (const [password, reason] of [
        ['', 'does not open without a password'],
        ['wrong', 'the password of --pdf-password or pdf.password does not open it'],
      ] as const) {
        const error: unknown = await extract(bytesOf(file), { password }).catch((caught: unknown) => caught);
        expect(error).toMatchObject({
          ...failure,
          hint: expect.stringMatching(failure.hint) as unknown,
          message: expect.stringContaining(reason) as unknown,
        });
        expect(JSON.stringify(error)).not.toContain('wrong');
      }
    },
  );
});

const readings = new Map<string, ReturnType<typeof extract>>();

/** Reads a file, once for all tests. */
function read(file: string, password: string): ReturnType<typeof extract> {
  const key = `${file}\0${password}`;
  const reading = readings.get(key) ?? extract(bytesOf(file), { password });
  readings.set(key, reading);
  return reading;
}

function bytesOf(file: string): Uint8Array {
  return new Uint8Array(readFileSync(folder + file));
}

/** The text without white space, as in the expectations, because lines may break inside words. */
function squeezed(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\s\u00AD\u2010-\u2014-]/g, '');
}
