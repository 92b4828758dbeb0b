import { DEFAULT_POLICY, chunkTexts, extractDocument } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createPdfPageChunker, healedWords } from '../../src/chunk/pdf-page-chunker.ts';
import { createPdfExtractor } from '../../src/pdf-extractor.ts';
import { lines, makePdf, type TestPdf } from '../make-pdf.ts';

const chunker = createPdfPageChunker();
const policy = { ...DEFAULT_POLICY, targetTokens: 20, overlapTokens: 0 };

describe('the chunker pdf-page-v1', () => {
  it('creates one chunk for a page that fits, and never joins pages', async () => {
    const document = await documentOf({ pages: ['One', 'Two'].map((text) => ({ texts: lines([text], at(700)) })) });
    expect(chunker.chunk(document, policy)).toEqual([
      {
        start: 0,
        end: 3,
        headingPath: [],
        sourceSpans: [{ kind: 'page', page: 1, char_start: 0, char_end: 3 }],
      },
      {
        start: 5,
        end: 8,
        headingPath: [],
        sourceSpans: [{ kind: 'page', page: 2, char_start: 0, char_end: 3 }],
      },
    ]);
  });

  it('creates one empty chunk for pages without text, so that the document is found by its name', async () => {
    const document = await documentOf({ pages: [{ texts: [] }, { texts: [] }] });
    expect(chunker.chunk(document, policy)).toEqual([
      { start: 0, end: 0, headingPath: [], sourceSpans: [{ kind: 'page', page: 1, char_start: 0, char_end: 0 }] },
    ]);
  });

  it('cuts a longer page at blank lines, then after sentences', async () => {
    const paragraphs = ['A first paragraph of some words.', 'A second one that is as long as it.'];
    const long = ['One sentence on a line of the page. Is it', 'long? It is too long for one chunk!'];
    const texts = [...paragraphs, ...long].map((text, row) => ({ text, ...at(row < 3 ? 700 - row * 60 : 566) }));
    const document = await documentOf({ pages: [{ texts }] });
    expect(chunkTexts(chunker, document, policy)).toEqual([
      ...paragraphs,
      'One sentence on a line of the page. Is it\nlong?',
      'It is too long for one chunk!',
    ]);
  });

  it('overlaps only within a page', async () => {
    const sentences = Array.from({ length: 6 }, (_, n) => `Sentence ${n} is here.`);
    const document = await documentOf({ pages: [0, 1].map(() => ({ texts: lines(sentences, at(700)) })) });
    const chunks = chunker.chunk(document, { ...policy, overlapTokens: 8 });
    const [first, second] = chunks;
    expect(second?.start).toBeLessThan(first?.end ?? 0);
    const nextPage = chunks.find(({ start }) => start >= (document.pages[1]?.start ?? 0));
    expect(nextPage?.start).toBe(document.pages[1]?.start);
    expect(nextPage?.sourceSpans).toMatchObject([{ page: 2, char_start: 0 }]);
  });

  it('has the headings of its page, and words cut by line ends in its index text', async () => {
    const document = await documentOf({
      pages: [{ texts: lines(['A word of infor-', 'mation'], at(700)) }],
      outline: [{ title: 'One', page: 1 }],
    });
    expect(chunker.chunk(document, policy)).toMatchObject([{ headingPath: ['One'], indexPrefix: 'information' }]);
  });

  it('makes a word that is cut between two chunks searchable in the first', async () => {
    const texts = lines(
      ['A sentence that goes on for a whole line, infor-', 'mation and more of it in the line below'],
      at(700),
    );
    const document = await documentOf({ pages: [{ texts }] });
    expect(chunker.chunk(document, policy).map(({ indexPrefix }) => indexPrefix)).toEqual(['information', undefined]);
  });
});

function at(y: number): { readonly x: number; readonly y: number } {
  return { x: 72, y };
}

function documentOf(pdf: TestPdf): ReturnType<typeof extractDocument> {
  return extractDocument(createPdfExtractor(), 'a.pdf', makePdf(pdf));
}

describe('healedWords', () => {
  it('joins words that are hyphenated at a line end', () => {
    expect(healedWords('The infor-\nmation of a straight-for\u2010\nward Über\u00AD\nlagerung')).toEqual([
      'information',
      'forward',
      'Überlagerung',
    ]);
  });

  it('keeps hyphens that belong to the word', () => {
    expect(healedWords('Gauß-\nBonnet, well-known\nthings - \nlike this')).toEqual([]);
  });

  it('joins words that are cut by a line end without a hyphen', () => {
    expect(healedWords('은 사\n람이 쓰거나\n기계로\nprinted')).toEqual(['사람이', '쓰거나기계로']);
    expect(healedWords('わたく\nしは')).toEqual(['わたくしは']);
  });

  it('returns each word once, in order', () => {
    expect(healedWords('b-\nc a-\nb b-\nc')).toEqual(['bc', 'ab']);
  });
});
