import { decodeText, firstChars, paragraphsOf, type ExtractedDocument, type Extractor } from '@kebab/core';

const TITLE_CHARS = 80;
const NO_HEADINGS: readonly string[] = Object.freeze([]);

/** Makes the extractor `text`: one paragraph block for each run of lines between blank ones; the first gives the title. */
export function createTextExtractor(): Extractor {
  return {
    id: 'text',
    version: '1',
    match: { media: ['text'] },
    isolation: 'inline',
    supports: (media) => media.kind === 'text',
    parserVersion: () => 'text-v1',
    chunkerId: () => 'text-paragraph-v1',
    extract: ({ bytes }) => Promise.resolve(extractText(bytes)),
  };
}

function extractText(bytes: Uint8Array): ExtractedDocument {
  const { text, warnings } = decodeText(bytes);
  const paragraphs = paragraphsOf(text);
  const [first] = paragraphs;
  return {
    text,
    warnings,
    blocks: paragraphs.map(({ start, end, firstLine, lastLine }) => ({
      kind: 'paragraph',
      start,
      end,
      headingPath: NO_HEADINGS,
      sourceSpan: { kind: 'line', start: firstLine, end: lastLine },
    })),
    ...(first === undefined ? {} : { title: titleOf(text.slice(first.start, first.end)) }),
  };
}

function titleOf(paragraph: string): string {
  return firstChars(paragraph.trim().replaceAll(/\s+/g, ' '), TITLE_CHARS).trimEnd();
}
