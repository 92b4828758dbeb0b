import { decodeText, paragraphsOf, type ExtractedDocument, type Extractor, type MediaType } from '@kebab/core';
import { readMarkup } from './markup/read-markup.ts';

const NO_HEADINGS: readonly string[] = Object.freeze([]);

/**
 * Creates the extractor `code-text`: source code as one code block for each group of lines between blank ones, without symbols. It matches
 * every language, less specifically than an extractor for a single one.
 */
export function createCodeTextExtractor(): Extractor {
  return {
    id: 'code-text',
    version: '3',
    match: { media: ['code'] },
    isolation: 'inline',
    spans: ['code'],
    supports: (media) => media.kind === 'code',
    parserVersion: (media) => `code-${langOf(media)}-v1`,
    chunkerId: () => 'code-text-paragraph-v1',
    extract: ({ asset, bytes }) => extractCode(bytes, langOf(asset.mediaType)),
  };
}

function langOf(media: MediaType): string {
  return media.kind === 'code' ? media.lang : 'text';
}

async function extractCode(bytes: Uint8Array, lang: string): Promise<ExtractedDocument> {
  const { text, warnings } = await decodeText(bytes);
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

/**
 * Creates the extractor `text`: one paragraph block for each group of lines between blank ones. A markup that the extension names has
 * sections, and the title comes from its top heading.
 */
export function createTextExtractor(): Extractor {
  return {
    id: 'text',
    version: '6',
    match: { media: ['text'] },
    isolation: 'inline',
    spans: ['line'],
    supports: (media) => media.kind === 'text',
    parserVersion: () => 'text-v1',
    chunkerId: () => 'text-paragraph-v1',
    extract: ({ asset, bytes }) => extractText(bytes, asset.workspacePath),
  };
}

async function extractText(bytes: Uint8Array, path: string): Promise<ExtractedDocument> {
  const { text, warnings } = await decodeText(bytes);
  const markup = readMarkup(text, path);
  if (markup !== null) return { text, warnings, ...markup };
  return {
    text,
    warnings,
    blocks: paragraphsOf(text).map(({ start, end, firstLine, lastLine }) => ({
      kind: 'paragraph',
      start,
      end,
      headingPath: NO_HEADINGS,
      sourceSpan: { kind: 'line', start: firstLine, end: lastLine },
    })),
  };
}
