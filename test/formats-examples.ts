import type { PictureReading } from '@kebab/core';
import { strToU8 } from 'fflate';
import { documentOf, paragraph } from '../plugins/docx/test/document.ts';
import { book } from '../plugins/epub/test/book.ts';
import { ocrOf } from '../plugins/image-ocr/test/image-documents.ts';
import { samplePicture } from '../plugins/image-ocr/test/sample-images.ts';
import { makePdf } from '../plugins/pdf/test/make-pdf.ts';
import { presentation, rels, shape, slide } from '../plugins/pptx/test/presentation.ts';
import { sheetOf } from '../plugins/xlsx/test/workbook.ts';

/** A file that shows what a row of docs/formats.md says. */
export interface FormatExample {
  readonly file: string;
  readonly content: string | Uint8Array;
  /** Words in the file that are not read. */
  readonly unread?: string;
  /** What OCR and a model read of its pictures. */
  readonly readings?: ReadonlyMap<string, PictureReading>;
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const bytes = (...all: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(all.flatMap((part) => (typeof part === 'string' ? [...strToU8(part)] : [part])));

const markdown = (...all: readonly string[]): FormatExample => ({ file: 'a.md', content: lines(...all) });
const html = (body: string, unread?: string): FormatExample => ({
  file: 'a.html',
  content: `<!doctype html><title>Port</title>${body}`,
  ...(unread === undefined ? {} : { unread }),
});
const csv = (...all: readonly string[]): FormatExample => ({ file: 'a.csv', content: lines(...all) });

const cellOf = (type: string, source: string, outputs: readonly unknown[] = []): unknown => ({
  cell_type: type,
  source,
  outputs,
});
const notebook = (...cells: readonly unknown[]): FormatExample => ({
  file: 'a.ipynb',
  content: JSON.stringify({ nbformat: 4, metadata: {}, cells }),
});
const shown = (data: Readonly<Record<string, string>>): unknown => ({ output_type: 'display_data', data });

const run = (words: string): string => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
const word = (body: string, parts: Readonly<Record<string, string>> = {}): FormatExample => ({
  file: 'a.docx',
  content: documentOf(body, parts),
});
const note = (kind: string, words: string, more = ''): Readonly<Record<string, string>> => ({
  [`${kind}s/${kind}s.xml`]: `<w:${kind}s><w:${kind} w:id="1"${more}>${paragraph(words)}</w:${kind}></w:${kind}s>`,
});
const grid = (tag: string, cell: (words: string) => string): string =>
  `<${tag}:tbl>${[
    ['Ship', 'Fee'],
    ['Tug', '12'],
  ]
    .map((row) => `<${tag}:tr>${row.map((words) => `<${tag}:tc>${cell(words)}</${tag}:tc>`).join('')}</${tag}:tr>`)
    .join('')}</${tag}:tbl>`;

/** A presentation of this slide, with parts that it relates to. */
const slides = (
  shapes: string,
  related: readonly (readonly [id: string, type: string, path: string, xml: string])[] = [],
  more: Readonly<Record<string, Uint8Array>> = {},
): FormatExample => ({
  file: 'a.pptx',
  content: presentation({
    'ppt/slides/slide2.xml': slide(shapes),
    'ppt/slides/_rels/slide2.xml.rels': rels(...related.map(([id, type, path]) => [id, type, `/${path}`] as const)),
    ...Object.fromEntries(related.map(([, , path, xml]) => [path, strToU8(xml)])),
    ...more,
  }),
});
const frame = (inner: string): string => `<p:graphicFrame>${inner}</p:graphicFrame>`;
const CHART =
  '<c:chartSpace><c:barChart><c:ser><c:cat><c:strLit><c:pt idx="0"><c:v>North</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:formatCode>0%</c:formatCode><c:pt idx="0"><c:v>0.5</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart></c:chartSpace>';

const words = (at: string, text: string): string => `<c r="${at}" t="str"><v>${text}</v></c>`;
const number = (at: string, value: number, style = 0): string => `<c r="${at}" s="${style}"><v>${value}</v></c>`;
const sheet = (
  rows: readonly (readonly string[])[],
  parts: Partial<Parameters<typeof sheetOf>[0]> = {},
): FormatExample => ({
  file: 'a.xlsx',
  content: sheetOf({ rows: rows.map((cells, at) => `<row r="${at + 1}">${cells.join('')}</row>`).join(''), ...parts }),
});
const PORT_SHEET = [
  [words('A1', 'Port'), words('B1', 'Depth')],
  [words('A2', 'Busan'), number('B2', 12)],
] as const;
const anchored = (row: number, inner: string): string =>
  `<xdr:wsDr><xdr:twoCellAnchor><xdr:from><xdr:row>${row - 1}</xdr:row></xdr:from>${inner}</xdr:twoCellAnchor></xdr:wsDr>`;

const chapter = (body: string): FormatExample => ({
  file: 'a.epub',
  content: book({ 'OEBPS/one.xhtml': strToU8(`<html><body>${body}</body></html>`) }),
});

const message = (...all: readonly string[]): FormatExample => ({
  file: 'a.eml',
  content: ['Subject: Fog signal', 'From: "Ada" <ada@example.org>', ...all].join('\r\n'),
});
const parts = (type: string, ...all: readonly (readonly string[])[]): FormatExample =>
  message(`Content-Type: multipart/${type}; boundary=b`, '', ...all.flatMap((part) => ['--b', ...part]), '--b--');

const pdf = (annotations: readonly string[] = []): FormatExample => ({
  file: 'a.pdf',
  content: makePdf({
    pages: [
      { texts: [{ text: 'Harbour rules for ships', x: 72, y: 700 }], annotations },
      { texts: [{ text: 'Tugs pay twelve. Ferries pay less.', x: 72, y: 700 }] },
    ],
    outline: [
      { title: 'Rules', page: 0 },
      { title: 'Fees', page: 1 },
    ],
  }),
});
const RECT = '/Rect [72 600 200 620] /F 4';

/** A PDF that says it is encrypted, with a password that nobody knows. */
const encrypted = (content: string | Uint8Array): Uint8Array => {
  const secret = `<${'ab'.repeat(32)}>`;
  const standard = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${secret} /U ${secret} /P -4 >> /ID [${secret} ${secret}]`;
  const source = Buffer.from(content).toString('latin1').replace('trailer\n<<', `trailer\n<< ${standard}`);
  return new Uint8Array(Buffer.from(source, 'latin1'));
};

const picture = async (reading: Partial<PictureReading>): Promise<FormatExample> => ({
  file: 'a.png',
  content: new Uint8Array(await samplePicture().png().toBuffer()),
  readings: new Map([['image', { ocr: null, caption: null, ...reading }]]),
});

/** The examples by the section and the first cell of the row that each belongs to. */
export const FORMAT_EXAMPLES: Readonly<
  Record<string, Readonly<Record<string, FormatExample | Promise<FormatExample>>>>
> = {
  Encodings: {
    'UTF-8 with or without a byte order mark': { file: 'a.txt', content: bytes(0xef, 0xbb, 0xbf, 'Mühle 등대\n') },
    'UTF-16 or UTF-32 with a byte order mark': {
      file: 'a.txt',
      content: bytes(0xff, 0xfe, ...[...'Mühle\n'].flatMap((letter) => [letter.charCodeAt(0), 0])),
    },
    'another encoding that a page, a book or a message declares': {
      file: 'a.html',
      content: bytes('<meta charset="windows-1252"><p>M', 0xfc, 'hle</p>'),
    },
    'another encoding that nothing declares': {
      file: 'a.txt',
      content: new Uint8Array(Buffer.from('Die Öfen sind größer, und für die Übung geht es nicht höher.\n', 'latin1')),
    },
    'damaged bytes in UTF-8': {
      file: 'a.txt',
      content: bytes('등대는 밤마다 불을 밝힌다. 안개가 짙은 날에는 ', 0xff, ' 종을 친다. 배는 천천히 들어온다.\n'),
    },
  },
  Markdown: {
    'headings with `#` or an underline': markdown('# Harbour', '', '## Fees', '', 'Tugs pay twelve.'),
    'paragraphs, lists, quotes': markdown('Bring:', '', '- rope', '- iron', '', '> and time'),
    'tables and code': markdown('Code:', '', '```rust', 'let moored = true;', '```'),
    'front matter in YAML or TOML': markdown(
      '---',
      'title: Moorings',
      'tags: rope, iron',
      'aliases: [Berths]',
      '---',
      'Text.',
    ),
    'front matter that is not valid': markdown('---', 'title: Moorings', 'an *unfinished thought', '---', 'Text.'),
    'tags in the text': markdown('Lamps are lit. #night-watch'),
    'comments in HTML': markdown('<!-- ask Ada -->'),
  },
  'Plain text and other markups': {
    'lines between blank ones': { file: 'a.txt', content: lines('Low tide', '', 'The bar', 'is dry.') },
    'underlined titles in reStructuredText': {
      file: 'a.rst',
      content: lines('Harbour', '=======', '', 'Fees', '----', '', 'Tugs pay twelve.'),
    },
    'titles with `=` or a line below in AsciiDoc, in `.txt` too': {
      file: 'a.adoc',
      content: lines('= Harbour', '', '== Fees', '', 'Tugs pay.'),
    },
    'headlines with `*` in Org': { file: 'a.org', content: lines('* Harbour', '** Fees', 'Tugs pay.') },
    'sections in LaTeX, slides too': {
      file: 'a.tex',
      content: lines('\\section{Harbour}', '\\begin{frame}{Fees}', 'Tugs pay.'),
    },
    'a directive that includes another file': {
      file: 'a.rst',
      content: lines('Harbour', '=======', '', 'Tugs pay twelve.', '', '.. include:: fees.rst'),
    },
  },
  HTML: {
    'headings and paragraphs': html('<h1>Harbour</h1><h2>Fees</h2><p>Tugs pay twelve.</p>'),
    'text before the first heading': html('<p>Welcome ashore</p>'),
    lists: html('<ol start="5"><li>fifth rule<li>sixth rule</ol>'),
    tables: html('<table><tr><th>Ship<th>Fee<tr><td>Tug<td>12</table>'),
    'preformatted text': html('<pre>first\n  indented</pre>'),
    pictures: html('<p>See <img src="x.png" alt="chart of the bay"></p>'),
    forms: html('<p><button>Send to the pilot</button></p>'),
    'scripts, styles, comments': html('<p>Text</p><script>unreadword()</script><!-- unreadword -->', 'unreadword'),
    'text that is hidden by `hidden`, `display: none` or `visibility: hidden`, in a `style` element too': html(
      '<style>.x{display:none}</style><p>Text</p><p hidden>unreadword</p><p style="display: none">unreadword</p><p class=x>unreadword</p>',
      'unreadword',
    ),
    'what a person can open: `details`, tabs and menus that another rule shows': html(
      '<style>.tab{display:none}.tab.open{display:block}</style><p class=tab>neap tide</p><details>spring tide</details>',
    ),
    'a closed `dialog`': html('<p>Text</p><dialog>unreadword</dialog>', 'unreadword'),
  },
  'CSV and TSV': {
    'a row': csv('Port,Depth', 'Busan,12'),
    'a title or notes above the table': csv('Plan of piers,,', 'Port,Depth,Note', 'Busan,12,deep'),
    'a first row of data': csv('Busan,12', 'Oslo,11'),
    'a further table behind an empty row': csv('Port,Depth', 'Busan,12', '', 'Pilot,Since', 'Ada,first'),
    'a cell of several lines': csv('note', '"first', 'second"'),
    'commas, semicolons, tabs or bars': csv('Port;Depth', 'Busan;1,5'),
    'a first line such as `sep=;`': csv('sep=;', 'Port;Depth', 'Busan;12'),
    'a quotation mark that is never closed': csv('Port,Depth', '"Busan,12', 'Rotterdam,24'),
    'rows from 50,001, columns from 501, a cell from 100,001 characters': {
      ...csv('Port', ...Array.from({ length: 50_000 }, () => 'Busan'), 'unreadword'),
      unread: 'unreadword',
    },
  },
  Notebooks: {
    'text cells': notebook(cellOf('markdown', '# Tides\n\n## Spring\n\nHigher.')),
    'code cells': notebook(cellOf('code', 'tide()', [{ output_type: 'stream', text: 'high at 6\n' }])),
    'results that are tables, Markdown or formulas': notebook(
      cellOf('code', 'tide()', [
        shown({ 'text/html': '<td>spring tide</td>', 'text/plain': '<IPython.core.display.HTML object>' }),
      ]),
    ),
    errors: notebook(
      cellOf('code', 'tide()', [
        { output_type: 'error', ename: 'KeyError', evalue: "'tide'", traceback: ['\u001B[31mat line 1\u001B[0m'] },
      ]),
    ),
    'printed output from 20,001 characters of a cell': {
      ...notebook(cellOf('code', 'x', [{ output_type: 'stream', text: `${'a '.repeat(10_000)}unreadword` }])),
      unread: 'unreadword',
    },
    'pictures and widgets': {
      ...notebook(cellOf('code', 'x', [shown({ 'image/png': 'unreadword', 'text/plain': '<Figure object>' })])),
      unread: 'unreadword',
    },
  },
  Word: {
    'paragraphs with a style of headings, in any language': word(
      paragraph('Harbour', '<w:pStyle w:val="berschrift1"/>') +
        paragraph('Fees', '<w:pStyle w:val="own"/>') +
        paragraph('Tugs pay.'),
      {
        'styles/styles.xml':
          '<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="own"><w:name w:val="Kapitel"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>',
      },
    ),
    'the style of titles': word(paragraph('Harbour rules', '<w:pStyle w:val="T"/>'), {
      'styles/styles.xml': '<w:styles><w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>',
    }),
    lists: word(paragraph('moor', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'), {
      'numbering/numbering.xml':
        '<w:numbering><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>',
    }),
    tables: word(grid('w', (text) => paragraph(text))),
    'text boxes, charts and diagrams': word(
      paragraph(
        `<w:r><w:pict><v:textbox><w:txbxContent>${paragraph('boxed words')}</w:txbxContent></v:textbox></w:pict></w:r>`,
      ),
    ),
    formulas: word(
      paragraph(
        '<m:oMath><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>',
      ),
    ),
    'footnotes and endnotes': word(
      paragraph(`${run('The light burns')}<w:r><w:footnoteReference w:id="1"/></w:r>`),
      note('footnote', 'since 1890'),
    ),
    comments: word(
      paragraph(`${run('The fee is twelve')}<w:r><w:commentReference w:id="1"/></w:r>`),
      note('comment', 'check this', ' w:author="Ada"'),
    ),
    'headers and footers': word(paragraph('Text'), {
      'header/header1.xml': `<w:hdr>${paragraph('Port authority')}</w:hdr>`,
    }),
    'tracked changes': {
      ...word(
        paragraph(`<w:ins>${run('new rule')}</w:ins><w:del><w:r><w:delText>unreadword</w:delText></w:r></w:del>`),
      ),
      unread: 'unreadword',
    },
    'hidden text': {
      ...word(paragraph(`${run('Text')}<w:r><w:rPr><w:vanish/></w:rPr><w:t>unreadword</w:t></w:r>`)),
      unread: 'unreadword',
    },
    pictures: word(paragraph('<w:r><w:drawing><wp:docPr descr="chart of the bay"/></w:drawing></w:r>')),
    'a whole document of another format inside': {
      ...word(paragraph('Text') + '<w:altChunk r:id="r0"/>', { 'aFChunk/part.html': '<p>unreadword</p>' }),
      unread: 'unreadword',
    },
  },
  PowerPoint: {
    'the title of a slide': slides(shape('title', 'Fees')),
    'shapes, text boxes and groups': slides(`<p:grpSp>${shape('', 'Tugs pay twelve.')}</p:grpSp>`),
    tables: slides(frame(grid('a', (text) => `<a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody>`))),
    diagrams: slides(frame('<dgm:relIds r:dm="d"/>'), [
      [
        'd',
        'diagramData',
        'ppt/diagrams/data1.xml',
        '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Moor</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
      ],
    ]),
    charts: slides(frame('<c:chart r:id="c"/>'), [['c', 'chart', 'ppt/charts/chart1.xml', CHART]]),
    pictures: slides('<p:pic><p:nvPicPr><p:cNvPr descr="chart of the bay"/></p:nvPicPr></p:pic>'),
    'notes of the speaker': slides(shape('title', 'Fees'), [
      ['n', 'notesSlide', 'ppt/notesSlides/n.xml', `<p:notes>${shape('body', 'Mention the discount.')}</p:notes>`],
    ]),
    comments: slides(
      shape('title', 'Fees'),
      [
        [
          'k',
          'comments',
          'ppt/comments/comment1.xml',
          '<p:cmLst><p:cm authorId="1"><p:text>shorter</p:text></p:cm></p:cmLst>',
        ],
      ],
      { 'ppt/commentAuthors.xml': strToU8('<p:cmAuthorLst><p:cmAuthor id="1" name="Ada"/></p:cmAuthorLst>') },
    ),
    'a slide that is damaged or missing': {
      ...slides(shape('', 'unreadword')),
      content: presentation({
        'ppt/_rels/presentation.xml.rels': rels(['a', 'slide', 'slides/slide1.xml'], ['b', 'slide', 'slides/gone.xml']),
      }),
      unread: 'Harbour plan',
    },
    'masters and layouts': {
      ...slides(shape('', 'Text'), [
        ['l', 'slideLayout', 'ppt/slideLayouts/l.xml', `<p:sldLayout>${shape('', 'unreadword')}</p:sldLayout>`],
      ]),
      unread: 'unreadword',
    },
  },
  Excel: {
    'a row': sheet(PORT_SHEET),
    'a further table behind an empty row': sheet([
      ...PORT_SHEET,
      [],
      [words('A4', 'Pilot'), words('B4', 'Since')],
      [words('A5', 'Ada'), words('B5', 'first')],
    ]),
    'numbers, dates and times': sheet(
      [
        [words('A1', 'share'), words('B1', 'day'), words('C1', 'opens')],
        [number('A2', 0.385, 1), number('B2', 45_000, 2), number('C2', 0.375, 3)],
      ],
      { formats: [10, 'dd.mm.yyyy', 20] },
    ),
    'a day in the format of the system': sheet([[words('A1', 'day')], [number('A2', 45_000, 1)]], { formats: [14] }),
    formulas: sheet([[words('A1', 'sum')], ['<c r="A2"><f>B2*2</f><v>24</v></c>']]),
    'merged cells': sheet(
      [[words('A1', 'region'), words('B1', 'sum')], [words('A2', 'North'), number('B2', 1)], [number('B3', 2)]],
      { after: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' },
    ),
    'names merged over the names of several columns': sheet(
      [
        [words('A1', 'pier'), words('B1', 'Q1')],
        [words('B2', 'plan'), words('C2', 'real')],
        [words('A3', 'North'), number('B3', 5), number('C3', 7)],
      ],
      { after: '<mergeCells><mergeCell ref="B1:C1"/></mergeCells>' },
    ),
    'comments and notes': sheet(PORT_SHEET, {
      related: [
        [
          'comments',
          'xl/comments1.xml',
          '<comments><authors><author>Ada</author></authors><commentList><comment ref="A2" authorId="0"><text><t>check</t></text></comment></commentList></comments>',
        ],
      ],
    }),
    'text boxes and titles of charts': sheet(PORT_SHEET, {
      related: [
        [
          'drawing',
          'xl/drawings/drawing1.xml',
          anchored(4, '<xdr:sp><xdr:txBody><a:p><a:r><a:t>Draft figures</a:t></a:r></a:p></xdr:txBody></xdr:sp>'),
        ],
      ],
    }),
    'a sheet that is hidden': sheet(PORT_SHEET, { state: 'hidden' }),
    'formulas without a saved result': {
      ...sheet([[words('A1', 'sum')], ['<c r="A2"><f>unreadword</f></c>']]),
      unread: 'unreadword',
    },
    'a file with a password': {
      file: 'a.xlsx',
      content: bytes(
        0xd0,
        0xcf,
        0x11,
        0xe0,
        0xa1,
        0xb1,
        0x1a,
        0xe1,
        ...[...'EncryptedPackage'].flatMap((letter) => [letter.charCodeAt(0), 0]),
      ),
    },
  },
  EPUB: {
    chapters: { file: 'a.epub', content: book() },
    'title and language of the book': { file: 'a.epub', content: book() },
    'a phonetic guide': chapter('<p><ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby></p>'),
    'a chapter that is encrypted, missing or a picture': {
      file: 'a.epub',
      content: book({
        'META-INF/encryption.xml': strToU8('<encryption><CipherReference URI="OEBPS/one.xhtml"/></encryption>'),
      }),
      unread: 'Gulls nest',
    },
  },
  Mail: {
    'subject, sender, recipients and date': message('', 'The signal is broken.'),
    'text as plain text and HTML': parts(
      'alternative',
      ['Content-Type: text/plain', '', 'Your program cannot show HTML.'],
      ['Content-Type: text/html', '', '<p>The signal is broken.</p>'],
    ),
    'attached messages': parts('mixed', [
      'Content-Type: message/rfc822',
      '',
      'Subject: Old request',
      '',
      'Please repair.',
    ]),
    'attached texts': parts('mixed', ['Content-Type: text/plain; name=tides.txt', '', 'high at six']),
    invitations: parts('mixed', [
      'Content-Type: text/calendar',
      '',
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'SUMMARY:Repair',
      'LOCATION:Pier four',
      'END:VEVENT',
      'END:VCALENDAR',
    ]),
    'other attachments': {
      ...parts('mixed', ['Content-Type: application/pdf; name=plan.pdf', '', 'unreadword']),
      unread: 'unreadword',
    },
    'text that is encrypted': {
      ...parts('encrypted', ['Content-Type: application/octet-stream', '', 'unreadword']),
      unread: 'unreadword',
    },
  },
  PDF: {
    text: pdf(),
    'the outline': pdf(),
    'values of form fields': pdf([`/Subtype /Widget /FT /Tx /T (City) /V (Bergen) ${RECT}`]),
    'notes, comments and text boxes': pdf([`/Subtype /Text /T (Ada) /Contents (look again) ${RECT}`]),
    'a page that is a picture, and not blank': {
      file: 'a.pdf',
      content: makePdf({ pages: [{ picture: { width: 2, height: 2, grey: Uint8Array.from([0, 9, 99, 255]) } }] }),
    },
    'a file with a password': { file: 'a.pdf', content: encrypted(pdf().content) },
  },
  Images: {
    'words in the picture': picture({ ocr: ocrOf('PIER FOUR') }),
    'what the picture shows': picture({ caption: { text: 'A red boat', model: 'm', modelVersion: '1' } }),
  },
  'Source code': {
    'functions, classes and other units in nine languages': {
      file: 'a.rs',
      content: lines('struct Port;', 'impl Port {', '    fn open() {', '        moor();', '    }', '}'),
    },
    'code in other languages': { file: 'a.rb', content: lines('puts "one"', '', 'puts "two"') },
    'a file of more than 1 MiB': { file: 'a.rs', content: `fn f() {}\n\n${'// x\n'.repeat(220_000)}` },
  },
};
