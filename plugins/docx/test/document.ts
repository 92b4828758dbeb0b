import { strToU8, zipSync } from 'fflate';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const text = (words: string): string => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
const heading = (level: number, words: string): string =>
  `<w:p><w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>${text(words)}</w:p>`;
const cell = (words: string): string => `<w:tc><w:p>${text(words)}</w:p></w:tc>`;

const BODY = [
  heading(1, 'Harbour handbook'),
  `<w:p>${text('The harbour opens ')}${text('at six.')}</w:p>`,
  heading(2, 'Fees'),
  `<w:tbl><w:tr>${cell('Ship')}${cell('Fee')}</w:tr><w:tr>${cell('Tug')}${cell('12')}</w:tr></w:tbl>`,
].join('');

/** A Word document with headings, a paragraph and a table, and optional additional files. */
export function wordDocument(more: Readonly<Record<string, Uint8Array>> = {}): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    'word/_rels/document.xml.rels': strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
    ),
    'word/styles.xml': strToU8(
      `<w:styles ${W}>${[1, 2].map((level) => `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`).join('')}</w:styles>`,
    ),
    'word/document.xml': strToU8(`<?xml version="1.0"?><w:document ${W}><w:body>${BODY}</w:body></w:document>`),
    ...more,
  });
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A Word document of these paragraphs, as XML, and more parts, as XML by their relationship: `header/header1.xml`. */
export function documentOf(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const related = Object.keys(parts).map((key, at) => {
    const [type = '', name = ''] = key.split('/');
    return `<Relationship Id="r${at}" Type="${OFFICE}/${type}" Target="${name}"/>`;
  });
  const files = Object.entries(parts).map(([key, xml]) => [`word/${key.split('/')[1]}`, strToU8(xml)] as const);
  return wordDocument({
    'word/document.xml': strToU8(`<w:document ${W}><w:body>${body}</w:body></w:document>`),
    'word/_rels/document.xml.rels': strToU8(`<Relationships>${related.join('')}</Relationships>`),
    ...Object.fromEntries(files),
  });
}

/** A paragraph with properties. */
export function paragraph(words: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr>${words.startsWith('<') ? words : text(words)}</w:p>`;
}
