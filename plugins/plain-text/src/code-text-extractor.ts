import { decodeText, paragraphsOf, type ExtractedDocument, type Extractor, type MediaType } from '@kebab/core';

const NO_HEADINGS: readonly string[] = Object.freeze([]);

/**
 * Makes the extractor `code-text`: source code as one code block for each run of lines between blank ones, without
 * symbols. It reads every language, less specifically than an extractor that names one.
 */
export function createCodeTextExtractor(): Extractor {
  return {
    id: 'code-text',
    version: '1',
    match: { media: ['code'] },
    isolation: 'inline',
    supports: (media) => media.kind === 'code',
    parserVersion: (media) => `code-${langOf(media)}-v1`,
    chunkerId: () => 'code-text-paragraph-v1',
    extract: ({ asset, bytes }) => Promise.resolve(extractCode(bytes, langOf(asset.mediaType))),
  };
}

function langOf(media: MediaType): string {
  return media.kind === 'code' ? media.lang : 'text';
}

function extractCode(bytes: Uint8Array, lang: string): ExtractedDocument {
  const { text, warnings } = decodeText(bytes);
  return {
    text,
    warnings,
    blocks: paragraphsOf(text).map(({ start, end, firstLine, lastLine }) => ({
      kind: 'code',
      lang,
      symbol: null,
      start,
      end,
      headingPath: NO_HEADINGS,
      sourceSpan: { kind: 'code', line_start: firstLine, line_end: lastLine, symbol: null, lang },
    })),
  };
}
