import { strToU8, zipSync } from 'fflate';

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const words = (at: string, text: string): string => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

const SHEET = `<worksheet ${MAIN}><sheetData>
<row r="1">${words('A1', 'Port')}${words('B1', 'Depth')}${words('C1', 'Twice')}</row>
<row r="2">${words('A2', 'Busan')}<c r="B2"><v>12</v></c><c r="C2"><f>B2*2</f><v>24</v></c></row>
<row r="4">${words('A4', 'Rotterdam')}<c r="B4"><v>24</v></c></row>
</sheetData></worksheet>`;
const SECOND = `<worksheet ${MAIN}><sheetData><row r="1">${words('A1', 'Note')}</row><row r="2">${words('A2', 'Tides vary')}</row></sheetData></worksheet>`;

/** A workbook of two sheets, with optional additional files. */
export function workbook(more: Readonly<Record<string, Uint8Array>> = {}): Uint8Array {
  return zipSync({
    '[Content_Types].xml': strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
    ),
    '_rels/.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${R}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': strToU8(
      `<workbook ${MAIN} xmlns:r="${R}"><sheets><sheet name="Q3 &amp; Q4" sheetId="1" r:id="a"/><sheet name="Notes" sheetId="2" r:id="b"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${R}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="${R}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(SHEET),
    'xl/worksheets/sheet2.xml': strToU8(SECOND),
    ...more,
  });
}

/** Parts of a workbook for {@link sheetOf}, as XML. */
export interface SheetParts {
  /** The rows. */
  readonly rows: string;
  /** What follows the rows. */
  readonly after?: string;
  /** The formats of the workbook, the first of which is that of style 1. */
  readonly formats?: readonly (string | number)[];
  readonly strings?: readonly string[];
  readonly workbookPr?: string;
  readonly state?: string;
  /** More parts that the sheet relates to, by type and path. */
  readonly related?: readonly (readonly [type: string, path: string, xml: string])[];
  readonly more?: Readonly<Record<string, string>>;
}

/** A workbook of one sheet, Sheet1. */
export function sheetOf({
  rows,
  after = '',
  formats = [],
  strings = [],
  workbookPr = '',
  state,
  related = [],
  more = {},
}: SheetParts): Uint8Array {
  const quoted = (code: string): string =>
    code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<workbook ${MAIN} xmlns:r="${R}">${workbookPr}<sheets><sheet name="Sheet1" sheetId="1" r:id="a"${state === undefined ? '' : ` state="${state}"`}/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" Type="${R}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="s" Type="${R}/styles" Target="styles.xml"/><Relationship Id="t" Type="${R}/sharedStrings" Target="/xl/strings.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet ${MAIN}><numFmts>${formats.map((code, at) => (typeof code === 'string' ? `<numFmt numFmtId="${200 + at}" formatCode="${quoted(code)}"/>` : '')).join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((code, at) => `<xf numFmtId="${typeof code === 'number' ? code : 200 + at}"/>`).join('')}</cellXfs></styleSheet>`,
    'xl/strings.xml': `<sst ${MAIN}>${strings.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${MAIN}><sheetData>${rows}</sheetData>${after}</worksheet>`,
    'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${related.map(([type, path], at) => `<Relationship Id="x${at}" Type="http://schemas.microsoft.com/x/${type}" Target="/${path}"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(related.map(([, path, xml]) => [path, xml])),
    ...more,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)])));
}
