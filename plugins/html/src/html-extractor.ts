import { ARTICLE_LIMITS, findArticle, readHtml } from '@kebab/formats-kit';
import { DocumentBuilder, markdownExtractor, type Extractor } from '@kebab/plugin';
import { decodePage } from './decode-page.ts';

/** Creates the extractor `html`: the article of a page if it has one, otherwise the whole page, cited as `#section=opening-hours`. */
export function createHtmlExtractor(): Extractor {
  return markdownExtractor({
    id: 'html',
    version: '3',
    extensions: ['html', 'htm', 'xhtml'],
    toMarkdown: async (bytes) => {
      const { text, warnings } = decodePage(bytes);
      const whole = new DocumentBuilder();
      const { elements, depth, ...facts } = await readHtml(text, whole);
      const isSmall =
        text.length <= ARTICLE_LIMITS.chars && elements <= ARTICLE_LIMITS.elements && depth <= ARTICLE_LIMITS.depth;
      const article = isSmall ? await findArticle(text) : null;
      if (article === null) return whole.build({ ...facts, warnings });
      const document = new DocumentBuilder();
      await readHtml(article, document);
      return document.build({ ...facts, warnings });
    },
  });
}
