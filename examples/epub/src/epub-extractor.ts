import { DocumentBuilder, markdownExtractor, type Extractor } from '@kebab/plugin';
import { readBook } from './read-book.ts';
import { piecesOf } from './xhtml-pieces.ts';

/** The settings of a user. */
export interface EpubSettings {
  readonly maxMegabytes: number;
}

/** Creates the extractor `epub`: the chapters of a book in reading order, as headings and paragraphs, cited by section. */
export function createEpubExtractor({ maxMegabytes }: EpubSettings): Extractor {
  return markdownExtractor({
    id: 'epub',
    extensions: ['epub'],
    fingerprint: () => `${maxMegabytes}`,
    toMarkdown: (bytes) => {
      const { title, lang, author, chapters } = readBook(bytes, maxMegabytes * 2 ** 20);
      const document = new DocumentBuilder();
      for (const { level, text } of chapters.flatMap(piecesOf))
        if (level === null) document.paragraph(text);
        else document.heading(level, text);
      return document.build({
        title,
        ...(lang === null ? {} : { lang }),
        metadata: { sourceType: 'reference', ...(author === null ? {} : { user: { author } }) },
      });
    },
  });
}
