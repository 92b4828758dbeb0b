import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChunkWithDocument, TextSlice } from '../../src/contracts/document-store.ts';
import type { CanonicalDocument } from '../../src/domain/document.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { outputTokens } from '../../src/domain/text-size.ts';
import { SNIPPET_FLOOR } from '../../src/requests/search.ts';
import { type BudgetRequest, fitBudget, readingAround, whyUnread } from '../../src/search/write-hits.ts';
import type { SearchHit, SearchResponse } from '../../src/wire/index.ts';

const cut = (text: string, maxChars: number): { snippet: string; snippet_full_text: boolean } => {
  const characters = [...text];
  const whole = characters.length <= maxChars;
  return { snippet: whole ? text : `${characters.slice(0, maxChars - 1).join('')}…`, snippet_full_text: whole };
};

const request = (texts: readonly string[], maxTokens: number, snippetChars = 220, next = false): BudgetRequest => {
  const cursorBehind = (count: number): string => 'c'.repeat(40 + String(count).length);
  const response: SearchResponse = {
    schema_version: 'search_response.v1',
    hits: texts.map((text, at) => ({ rank: at + 1, ...cut(text, snippetChars) }) as SearchHit),
    next_cursor: next ? cursorBehind(texts.length) : null,
    truncated: false,
    mode: 'lexical',
    degraded: [],
  };
  return { response, maxTokens, snippetChars, resnip: (hit, cap) => cut(texts[hit] ?? '', cap), cursorBehind };
};

const tokensOf = (response: SearchResponse): number => outputTokens(JSON.stringify(response));
const long = 'word '.repeat(100);

describe('fitBudget', () => {
  it('leaves a response that fits unchanged', () => {
    const asked = request([long, long], 100_000);
    expect(fitBudget(asked)).toEqual(asked.response);
  });

  it('halves the snippets of all hits before it drops any', () => {
    const whole = tokensOf(request([long, long], 1).response);
    const fitted = fitBudget(request([long, long], whole - 1));
    expect(fitted.hits.map(({ snippet }) => snippet.length)).toEqual([110, 110]);
    expect(fitted).toMatchObject({ truncated: true, next_cursor: null });
  });

  it('truncates snippets down to the floor and no further', () => {
    const fitted = fitBudget(request([long, long, long], 0, 1000));
    expect(fitted.hits.map(({ snippet }) => snippet.length)).toEqual([SNIPPET_FLOOR]);
  });

  it('keeps one hit at a budget of 0, with a cursor to the next', () => {
    const fitted = fitBudget(request([long, long, long], 0));
    expect(fitted.hits.map(({ rank }) => rank)).toEqual([1]);
    expect(fitted).toMatchObject({ truncated: true, next_cursor: 'c'.repeat(41) });
  });

  it('truncates nothing of a single short hit, and reports it', () => {
    const fitted = fitBudget(request(['short'], 0));
    expect(fitted).toMatchObject({ truncated: false, next_cursor: null, hits: [{ snippet: 'short' }] });
  });

  it('truncates nothing in a response without hits', () => {
    expect(fitBudget(request([], 0)).hits).toEqual([]);
  });

  it('counts characters, not bytes and not UTF-16 units', () => {
    const asked = request(['한국어 '.repeat(20), '😀'.repeat(60)], 1);
    const exact = outputTokens(JSON.stringify(asked.response));
    expect(fitBudget({ ...asked, maxTokens: exact }).truncated).toBe(false);
    expect(fitBudget({ ...asked, maxTokens: exact - 1 }).truncated).toBe(true);
  });

  it('excludes the trace from the count', () => {
    const asked = request([long], 300);
    const trace = {
      lexical: [],
      vector: [],
      rrf_inputs: [],
      query: { terms: [long, long, long], phrases: [], excluded: [] },
    };
    const traced = { ...asked.response, trace: trace as unknown as NonNullable<SearchResponse['trace']> };
    expect(fitBudget({ ...asked, response: traced }).truncated).toBe(fitBudget(asked).truncated);
  });

  it('stays within the budget or keeps one hit, and drops no more than necessary', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        texts,
        fc.nat({ max: 1500 }),
        fc.integer({ min: 60, max: 500 }),
        fc.boolean(),
        (all, budget, cap, next) => {
          const fitted = fitBudget(request(all, budget, cap, next));
          expect(fitted.hits.length).toBeGreaterThan(0);
          expect(fitted.hits.length === 1 || tokensOf(fitted) <= budget).toBe(true);
          expect(fitted.hits.map(({ rank }) => rank)).toEqual(fitted.hits.map((_, at) => at + 1));
          expect(fitted.next_cursor !== null).toBe(next || fitted.hits.length < all.length);
          const untouched = request(all, budget, cap, next).response;
          expect(fitted.truncated).toBe(
            JSON.stringify(fitted) !== JSON.stringify({ ...untouched, truncated: fitted.truncated }),
          );
        },
      ),
    );
  });
});

const id = 'a' as DocumentId;
const found = { chunk: { docId: id }, around: { start: 10, text: '0123456789' } } as ChunkWithDocument;

describe('readingAround', () => {
  const asked: unknown[] = [];
  const store = {
    readTexts: async (slices: readonly TextSlice[]) => {
      asked.push(slices);
      return slices.map(({ docId, start = '', end = '' }) => `read ${docId} ${start} ${end}`);
    },
    getBlocks: async () => new Map(),
  };
  const near = readingAround(store, [found]);

  it('reads the texts loaded with the chunks, and nothing else, from memory', async () => {
    const other = 'b' as DocumentId;
    expect(
      await near.readTexts([
        { docId: id, start: 10, end: 20 },
        { docId: id, start: 9, end: 12 },
        { docId: id, start: 12, end: 15 },
        { docId: id, start: 12, end: 21 },
        { docId: id, start: 12 },
        { docId: other, start: 12, end: 15 },
      ]),
    ).toEqual(['0123456789', 'read a 9 12', '234', 'read a 12 21', 'read a 12 ', 'read b 12 15']);
    expect(asked).toHaveLength(1);
  });

  it('does not read the store when all texts were loaded', async () => {
    asked.length = 0;
    expect(await near.readTexts([{ docId: id, start: 12, end: 15 }])).toEqual(['234']);
    expect(asked).toEqual([]);
  });
});

describe('whyUnread', () => {
  const event = (kind: string, note: string) => ({ at: new Date(0), agent: 'a', kind, note });

  it.each([
    ['pdf', true, [event('ocr_applied', 'pages 1–3')], 'no text was recognised in it'],
    ['image', true, [event('ocr_applied', 'whole')], 'no text was recognised in it'],
    ['pdf', true, [event('warning', 'ocr_failed: page 1: no memory left')], 'OCR failed: page 1: no memory left'],
    ['pdf', true, [event('warning', 'scanned_candidate: page 1')], 'kebab config set pdf.ocr auto, then kebab ingest'],
    ['image', false, [], 'kebab config set ocr.engine tesseract, then kebab ingest'],
  ] as const)(
    'says of a %s without text what OCR has done (engine %j, history %j)',
    async (media, engine, history, why) => {
      expect(
        await whyUnread({ chunk: { text: '' }, document: { media, docId: id } } as ChunkWithDocument, {
          readsPictures: engine,
          store: { getCanonicalDocument: async () => ({ provenance: history }) as unknown as CanonicalDocument },
        }),
      ).toBe(why);
    },
  );
});
