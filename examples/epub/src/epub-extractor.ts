import { throwIfCancelled, type BlockDraft, type ExtractedDocument, type Extractor } from '@kebab/plugin';
import { readBook } from './read-book.ts';
import { piecesOf } from './xhtml-pieces.ts';

/** The settings of a user. */
export interface EpubSettings {
  readonly maxMegabytes: number;
}

/**
 * Creates the extractor `epub`: the chapters of a book in reading order, as headings and paragraphs. Lines are those of the extracted text,
 * one per heading or paragraph.
 */
export function createEpubExtractor({ maxMegabytes }: EpubSettings): Extractor {
  return {
    id: 'epub',
    version: '1',
    match: { extensions: ['epub'] },
    isolation: 'worker',
    fingerprint: () => `${maxMegabytes}`,
    supports: (media) => media.kind === 'other' && media.ext === 'epub',
    parserVersion: () => 'epub-v1',
    chunkerId: () => 'md-heading-v1',
    extract: async ({ bytes }, { signal }) => {
      throwIfCancelled(signal, 'extract');
      return documentOf(bytes, maxMegabytes * 2 ** 20);
    },
  };
}

function documentOf(bytes: Uint8Array, maxBytes: number): ExtractedDocument {
  const { title, lang, author, chapters } = readBook(bytes, maxBytes);
  const blocks: BlockDraft[] = [];
  const lines: string[] = [];
  let start = 0;
  let headings: readonly { readonly level: number; readonly text: string }[] = [];
  for (const { level, text } of chapters.flatMap(piecesOf)) {
    const line = lines.length + 1;
    const place = { start, end: start + text.length, sourceSpan: { kind: 'line', start: line, end: line } } as const;
    if (level !== null) headings = headings.filter((open) => open.level < level);
    const headingPath = headings.map((heading) => heading.text);
    blocks.push(
      level === null
        ? { ...place, kind: 'paragraph', headingPath }
        : { ...place, kind: 'heading', level, text, headingPath },
    );
    if (level !== null) headings = [...headings, { level, text }];
    lines.push(text, '');
    start += text.length + 2;
  }
  return {
    text: lines.join('\n'),
    blocks,
    ...(title === null ? {} : { title }),
    ...(lang === null ? {} : { lang }),
    metadata: { sourceType: 'reference', ...(author === null ? {} : { user: { author } }) },
  };
}
