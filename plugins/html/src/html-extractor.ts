import { decodePage, readHtml } from '@kebab/formats-kit';
import { DocumentBuilder, markdownExtractor, type Extractor } from '@kebab/plugin';

/** Creates the extractor `html`: all that a page shows, its main text first, cited as `#section=opening-hours`. */
export function createHtmlExtractor(): Extractor {
  return markdownExtractor({
    id: 'html',
    version: '8',
    extensions: ['html', 'htm', 'xhtml'],
    toMarkdown: async (bytes, { path }) => {
      const { text, warnings } = await decodePage(bytes);
      const document = new DocumentBuilder();
      const facts = await readHtml(text, document, { isXhtml: /\.xhtml$/i.test(path), isMainFirst: true });
      return document.build({ ...facts, warnings });
    },
  });
}
