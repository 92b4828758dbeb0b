import type { ExtractedDocument, ExtractInput, Extractor, PictureUse } from '../../../src/contracts/extractor.ts';
import type { BlockDraft } from '../../../src/domain/block.ts';

/** Options of {@link pictureExtractor}. */
export interface PictureExtractorOptions {
  readonly fingerprint?: string;
  /** The uses requested for every picture; both by default. */
  readonly uses?: readonly PictureUse[];
  /** Called before a picture is rendered. */
  readonly before?: (picture: string) => void;
}

/** The size of a rendering identifies its page: ten pixels per page. */
const PIXELS_A_PAGE = 10;

/**
 * Reads text files as if each line were a scanned page: `scan` requests a reading of the page, everything else is text. The reading
 * replaces the line.
 */
export function pictureExtractor(options: PictureExtractorOptions = {}): Extractor {
  return {
    id: 'pictures',
    version: '1',
    match: { media: ['text'] },
    isolation: 'inline',
    fingerprint: () => options.fingerprint ?? 'pictures@1',
    supports: ({ kind }) => kind === 'text',
    parserVersion: () => 'pictures-v1',
    chunkerId: () => 'lines-v1',
    extract: async (input) => extractPages(input, options.uses ?? ['ocr', 'caption']),
    render: async (_, { picture, maxPixels }) => {
      options.before?.(picture);
      const size = Math.min(maxPixels, Number(picture.slice('page='.length)) * PIXELS_A_PAGE);
      return { png: Uint8Array.of(size), width: size, height: size };
    },
  };
}

function extractPages({ bytes, readings }: ExtractInput, uses: readonly PictureUse[]): ExtractedDocument {
  const lines = new TextDecoder().decode(bytes).split('\n');
  const pages = lines.map((line, at) => ({ line, page: at + 1, id: `page=${at + 1}` }));
  const scans = pages.filter(({ line }) => line === 'scan');
  const texts = pages.map(({ line, id }) => {
    const reading = readings?.get(id);
    return reading === undefined ? line : [reading.ocr?.joined, reading.caption?.text].join('/');
  });
  const blocks: BlockDraft[] = [];
  let start = 0;
  for (const [at, text] of texts.entries()) {
    const place = {
      start,
      end: start + text.length,
      sourceSpan: { kind: 'line', start: at + 1, end: at + 1 },
    } as const;
    if (text !== '') blocks.push({ kind: 'paragraph', headingPath: [], ...place });
    start += text.length + 1;
  }
  const asked = readings === undefined ? scans.map(({ id, page }) => ({ id, page, uses })) : [];
  return { text: texts.join('\n'), blocks, ...(asked.length === 0 ? {} : { pictures: asked }) };
}
