export { isData, tablesIn, type SheetTable } from './head-row.ts';
export { decodePage, readHtml, type HtmlOptions, type PageFacts } from './read-html.ts';
export {
  alternativeText,
  bodyLines,
  chartTables,
  markdownTable,
  mathText,
  writeFigures,
  type ChartTable,
} from './read-drawing.ts';
export { displayFormats, type DisplayFormats, type NumberDisplay } from './show-number.ts';
export { mainPart, pathFrom, relationId, relationshipsOf, type PartRelationship } from './office-parts.ts';
export { openArchive, type Archive } from './open-archive.ts';
export {
  childAt,
  childrenOf,
  descendantsOf,
  localName,
  ownText,
  parseXml,
  readXml,
  textOf,
  type XmlElement,
  type XmlEvents,
} from './read-xml.ts';
export { romanNumeral } from './shown-text.ts';
