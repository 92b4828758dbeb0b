export { ARTICLE_LIMITS, findArticle } from './find-article.ts';
export { openArchive, type Archive } from './open-archive.ts';
export { readHtml, type PageFacts } from './read-html.ts';
export { readXml, type XmlEvents } from './read-xml.ts';
