export { decodePage } from './decode-page.ts';
export { readHtml, type HtmlOptions, type PageFacts } from './read-html.ts';
export { openArchive, type Archive } from './open-archive.ts';
export { readXml, type XmlEvents } from './read-xml.ts';
