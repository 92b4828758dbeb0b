import {
  TextSizer,
  packSlices,
  paragraphsOf,
  proseUnits,
  type CanonicalDocument,
  type ChunkDraft,
  type ChunkPolicy,
  type Chunker,
  type SizedText,
  type TextRange,
} from '@kebab/core';

const READS = ['targetTokens', 'overlapTokens', 'maxChunkTokens'] as const;
const LONGEST_WORD = 40;

/**
 * Creates the chunker `pdf-page-v1`: no chunk crosses a page. A page up to the target size is one chunk; a longer one is cut at blank
 * lines, then after sentences, and its chunks overlap from the start of a paragraph or sentence. The heading path is that of the page's
 * block. Words cut by line ends are searchable as a whole. A document without any text is one empty chunk on its first page, which is found
 * by its title and file name.
 */
export function createPdfPageChunker(): Chunker {
  return {
    id: 'pdf-page-v1',
    version: '2',
    needs: { spans: ['page'] },
    reads: READS,
    chunk: chunkPages,
  };
}

function chunkPages(document: CanonicalDocument, policy: ChunkPolicy): readonly ChunkDraft[] {
  const { text } = document;
  const sized = { text, sizer: new TextSizer(text) };
  const chunks = pagesOf(document).flatMap(({ page, start, end, pageStart, headingPath }) =>
    packSlices(sized, proseUnits(sized, rangesOf(sized, { start, end }, policy), policy), policy).map(
      (slice): ChunkDraft => {
        const healed = healedWords(text.slice(slice.start, slice.end) + restOfWord(text, slice.end));
        const char_start = slice.start - pageStart;
        return {
          ...slice,
          headingPath,
          sourceSpans: [{ kind: 'page', page, char_start, char_end: slice.end - pageStart }],
          ...(healed.length === 0 ? {} : { indexPrefix: healed.join(' ') }),
        };
      },
    ),
  );
  const [first] = document.pages;
  return chunks.length > 0 || first === undefined ? chunks : [emptyChunk(first.page)];
}

function emptyChunk(page: number): ChunkDraft {
  return { start: 0, end: 0, headingPath: [], sourceSpans: [{ kind: 'page', page, char_start: 0, char_end: 0 }] };
}

/** The rest of a slice's last word, if a line end after the slice cuts it. */
function restOfWord(text: string, end: number): string {
  return /^\n[\p{L}\p{M}]+/u.exec(text.slice(end, end + LONGEST_WORD))?.[0] ?? '';
}

interface PageText extends TextRange {
  readonly page: number;
  /** The start of the page's text; its blocks may begin later. */
  readonly pageStart: number;
  readonly headingPath: readonly string[];
}

/** The blocks of each page as one range of text. */
function pagesOf({ blocks, pages }: CanonicalDocument): readonly PageText[] {
  const starts = new Map(pages.map(({ page, start }) => [page, start]));
  const texts: PageText[] = [];
  for (const { start, end, headingPath, sourceSpan } of blocks) {
    if (sourceSpan.kind !== 'page') continue;
    const { page } = sourceSpan;
    const last = texts.at(-1);
    if (last?.page === page) texts[texts.length - 1] = { ...last, end };
    else texts.push({ page, start, end, pageStart: starts.get(page) ?? start, headingPath });
  }
  return texts;
}

/** A page is whole or, if it is too long, cut at its paragraphs. */
function rangesOf({ text, sizer }: SizedText, page: TextRange, { targetTokens }: ChunkPolicy): readonly TextRange[] {
  return sizer.tokens(page.start, page.end) <= targetTokens ? [page] : paragraphsOf(text, page);
}

/** A word hyphenated at the end of a line; it is one word only if the next line begins with a lower-case letter. */
const HYPHENATED = /([\p{L}\p{M}]+)[-\u00AD\u2010]\n([\p{L}\p{M}]+)/gu;
/** Scripts without hyphens break lines anywhere: Hangul, Han and kana on both sides of a line end may be one word. */
const UNMARKED =
  /([\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{1,10})\n(?=([\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{1,10}))/gu;

/**
 * The words of a text that are cut by line ends, joined, so that a search finds "information" if the page has "infor-" and "mation". Each
 * once, in order.
 */
export function healedWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [, before = '', behind = ''] of text.matchAll(HYPHENATED))
    if (!/^\p{Lu}/u.test(behind)) words.add(before + behind);
  for (const [, before = '', behind = ''] of text.matchAll(UNMARKED)) words.add(before + behind);
  return [...words];
}
