import { citedBlocks, extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createDocxExtractor } from '../src/docx-extractor.ts';
import { documentOf, paragraph, wordDocument } from './document.ts';

const read = (content: Uint8Array) => extractDocument(createDocxExtractor(), 'a.docx', content);

describe('a Word document', () => {
  it('is read in order, each block with its citation', async () => {
    const document = await read(wordDocument());
    expect(document.title).toBe('Harbour handbook');
    expect(citedBlocks(document)).toEqual([
      ['heading', 'section=harbour-handbook', 'Harbour handbook'],
      ['paragraph', 'section=harbour-handbook', 'The harbour opens at six.'],
      ['heading', 'section=fees', 'Fees'],
      ['table', 'section=fees', '| Ship | Fee |\n| --- | --- |\n| Tug | 12 |'],
    ]);
  });
});

const textOf = async (body: string, parts: Readonly<Record<string, string>> = {}) =>
  (await read(documentOf(body, parts))).text.trimEnd();
const run = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`;
const inList = (words: string, level = 0, list = 1) =>
  paragraph(words, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const lvl = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;
const numbering = (levels: string, nums = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>') => ({
  'numbering/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum>${nums}</w:numbering>`,
});

describe('the text of a paragraph', () => {
  it('goes on in the next one if the end between them is deleted', async () => {
    const deleted = '<w:rPr><w:del w:id="1"/></w:rPr>';
    const head = '<w:outlineLvl w:val="0"/>';
    expect(await textOf(paragraph('Har', deleted) + paragraph('bour', head) + paragraph('Fees', deleted))).toBe(
      'Harbour\n\nFees',
    );
  });

  it('leaves out what its style hides', async () => {
    const styles =
      '<w:styles><w:style w:type="character" w:styleId="H"><w:name w:val="Secret"/><w:rPr><w:vanish/></w:rPr></w:style></w:styles>';
    const hidden = '<w:r><w:rPr><w:rStyle w:val="H"/></w:rPr><w:t>unseen</w:t></w:r>';
    expect(await textOf(paragraph(`${run('seen')}${hidden}`), { 'styles/styles.xml': styles })).toBe('seen');
  });

  it('has the choice of a drop-down field', async () => {
    const list = '<w:ddList><w:result w:val="1"/><w:listEntry w:val="tug"/><w:listEntry w:val="ferry"/></w:ddList>';
    const field = `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${list}</w:ffData></w:fldChar></w:r>`;
    expect(await textOf(paragraph(run('Ship: ') + field))).toBe('Ship: ferry');
  });
});

describe('the numbers of a list', () => {
  const legal = numbering(
    lvl(0, 'decimal', '%1.') + lvl(1, 'lowerLetter', '%2)') + lvl(2, 'decimal', '%1.%2.%3', '<w:isLgl/>'),
  );
  it.each([
    [
      'go on after a paragraph',
      inList('one') + inList('two') + paragraph('between') + inList('three'),
      legal,
      '1. one\n2. two\n\nbetween\n\n3. three',
    ],
    [
      'go on after a heading and a table',
      inList('one') + paragraph('Head', '<w:outlineLvl w:val="0"/>') + inList('two'),
      legal,
      '1. one\n\nHead\n\n2. two',
    ],
    [
      'have levels',
      inList('one') + inList('sub', 1) + inList('sub', 1) + inList('deep', 2) + inList('two') + inList('sub', 1),
      legal,
      '1. one\n  a) sub\n  b) sub\n    1.2.1 deep\n2. two\n  a) sub',
    ],
    [
      'start where the list says',
      inList('four'),
      numbering('<w:lvl w:ilvl="0"><w:start w:val="4"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl>'),
      'IV. four',
    ],
    [
      'start again in a list that says so',
      inList('one') + inList('two') + inList('one', 0, 2) + inList('two', 0, 2),
      numbering(
        lvl(0, 'decimal', '(%1)'),
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>',
      ),
      '(1) one\n(2) two\n(1) one\n(2) two',
    ],
    [
      'go on in another list of the same definition',
      inList('one') + inList('two', 0, 2),
      numbering(
        lvl(0, 'decimal', '%1.'),
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>',
      ),
      '1. one\n2. two',
    ],
    [
      'have words',
      inList('one') + inList('two'),
      numbering(lvl(0, 'ordinal', 'Rule %1:')),
      'Rule 1st: one\nRule 2nd: two',
    ],
    ['are Korean', inList('one') + inList('two'), numbering(lvl(0, 'ganada', '%1.')), '가. one\n나. two'],
    ['are circled', inList('one') + inList('two'), numbering(lvl(0, 'decimalEnclosedCircle', '%1')), '① one\n② two'],
    [
      'are Chinese',
      Array.from({ length: 12 }, () => inList('x')).join(''),
      numbering(lvl(0, 'chineseCounting', '%1、')),
      ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'].map((n) => `${n}、 x`).join('\n'),
    ],
    [
      'go to aa after z',
      Array.from({ length: 27 }, () => inList('x')).join(''),
      numbering(lvl(0, 'lowerLetter', '%1.')),
      `${Array.from({ length: 26 }, (_, at) => `${String.fromCharCode(97 + at)}. x`).join('\n')}\naa. x`,
    ],
    ['are none before bullets', inList('one') + inList('two'), numbering(lvl(0, 'bullet', '\uF0B7')), '- one\n- two'],
    [
      'are none for a paragraph that leaves its list',
      paragraph('plain', '<w:numPr><w:numId w:val="0"/></w:numPr>'),
      legal,
      'plain',
    ],
    [
      'stand before a heading',
      paragraph('Fees', '<w:outlineLvl w:val="0"/><w:numPr><w:numId w:val="1"/></w:numPr>'),
      legal,
      '1. Fees',
    ],
    [
      'are those of a style',
      paragraph('one', '<w:pStyle w:val="L"/>') + paragraph('two', '<w:pStyle w:val="L"/>'),
      {
        ...legal,
        'styles/styles.xml':
          '<w:styles><w:style w:styleId="L"><w:name w:val="Clause"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>',
      },
      '1. one\n2. two',
    ],
  ])('%s', async (_, body, parts, expected) => {
    expect(await textOf(body, parts)).toBe(expected);
  });
});

describe('a heading of a Word document', () => {
  const style = (id: string, name: string, more = '') =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
  const styles = {
    'styles/styles.xml': `<w:styles>${style('1', 'heading 1')}${style('berschrift2', 'heading 2', '<w:basedOn w:val="1"/>')}${style('own', 'Kapitel', '<w:basedOn w:val="1"/>')}${style('deep', 'Unterkapitel', '<w:basedOn w:val="own2"/>')}${style('own2', 'Abschnitt', '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>')}${style('TOC', 'TOC Heading', '<w:basedOn w:val="1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')}${style('Title', 'Title')}${style('Sub', 'Subtitle', '<w:basedOn w:val="Title"/>')}${style('loop', 'Loop', '<w:basedOn w:val="loop"/>')}</w:styles>`,
  };
  it.each([
    ['<w:pStyle w:val="1"/>', 1],
    ['<w:pStyle w:val="berschrift2"/>', 2],
    ['<w:pStyle w:val="own"/>', 1],
    ['<w:pStyle w:val="own2"/>', 2],
    ['<w:pStyle w:val="deep"/>', 2],
    ['<w:outlineLvl w:val="2"/>', 3],
    ['<w:pStyle w:val="1"/><w:outlineLvl w:val="3"/>', 4],
    ['<w:pStyle w:val="1"/><w:outlineLvl w:val="9"/>', null],
    ['<w:pStyle w:val="TOC"/>', null],
    ['<w:pStyle w:val="Sub"/>', null],
    ['<w:pStyle w:val="loop"/>', null],
    ['<w:pStyle w:val="unknown"/>', null],
    ['', null],
  ])('is one by its style, those below it, or itself: %s', async (properties, level) => {
    const { blocks } = await read(documentOf(paragraph('Words', properties), styles));
    expect(blocks.map((block) => (block.kind === 'heading' ? block.level : null))).toEqual([level]);
  });

  it.each([
    ['Überschrift 2', 2],
    ['Titre 1', 1],
    ['Título 3', 3],
    ['Заголовок 1', 1],
    ['제목 2', 2],
    ['見出し 1', 1],
    ['标题 1', 1],
    ['Kop 4', 4],
    ['Titre', 1],
    ['표제', 1],
    ['Kopie 1', null],
    ['Überschrift', null],
    ['Heading 10', null],
    ['Untertitel', null],
  ])('has a style whose name is in the language of the program: %s', async (name, level) => {
    const parts = { 'styles/styles.xml': `<w:styles>${style('S', name)}</w:styles>` };
    const { blocks } = await read(documentOf(paragraph('Words', '<w:pStyle w:val="S"/>'), parts));
    expect(blocks.map((block) => (block.kind === 'heading' ? block.level : null))).toEqual([level]);
  });

  it('of the style of titles is the title of the document, wherever it stands', async () => {
    const title = paragraph('Big words', '<w:pStyle w:val="Title"/>');
    const one = paragraph('First', '<w:pStyle w:val="1"/>');
    expect((await read(documentOf(title + one, styles))).title).toBe('Big words');
    expect((await read(documentOf(one + title, styles))).title).toBe('Big words');
    expect((await read(documentOf(one, styles))).title).toBe('First');
  });

  it('without a part of styles is known by the usual id', async () => {
    const body = paragraph('Words', '<w:pStyle w:val="Heading2"/>');
    const { blocks } = await read(documentOf(body, { 'styles/styles.xml': '' }));
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 2 });
  });
});

describe('the text of a Word document', () => {
  const ruby = (base: string, reading: string) =>
    `<w:r><w:ruby><w:rubyPr/><w:rt>${run(reading)}</w:rt><w:rubyBase>${run(base)}</w:rubyBase></w:ruby></w:r>`;
  it.each([
    [
      'a formula in a sentence',
      `${run('area ')}<m:oMath><m:sSup><m:e><m:r><m:t>r</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath>${run(' π')}`,
      'area r^2 π',
    ],
    ['a formula in a paragraph', '<m:oMathPara><m:oMath><m:r><m:t>a=b</m:t></m:r></m:oMath></m:oMathPara>', 'a=b'],
    [
      'a formula on a line of its own',
      `${run('as')}<m:oMathPara><m:oMath><m:r><m:t>a=b</m:t></m:r></m:oMath></m:oMathPara>${run('so')}`,
      'as\na=b\nso',
    ],
    ['a phonetic guide', `${ruby('東京', 'とうきょう')}${run('へ')}`, '東京 (とうきょう)へ'],
    [
      'a phonetic guide for each character',
      `${run('は')}${ruby('漢', 'かん')}${ruby('字', 'じ')}${run('だ')}`,
      'は漢字 (かんじ)だ',
    ],
    ['a phonetic guide at the end', ruby('漢字', 'かんじ'), '漢字 (かんじ)'],
    [
      'moved text where it is now',
      `<w:moveFrom>${run('there ')}</w:moveFrom><w:moveTo>${run('here')}</w:moveTo>`,
      'here',
    ],
    [
      'the result of a field, not its instruction',
      `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>DATE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run('1 May')}<w:r><w:fldChar w:fldCharType="end"/></w:r>`,
      '1 May',
    ],
    ['a link', `<w:hyperlink r:id="x">${run('see')}</w:hyperlink>`, 'see'],
    [
      'a content control',
      `<w:sdt><w:sdtPr><w:alias w:val="no"/></w:sdtPr><w:sdtContent>${run('chosen')}</w:sdtContent></w:sdt>`,
      'chosen',
    ],
    [
      'a tab, a break and hyphens',
      '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t><w:softHyphen/><w:t>e</w:t></w:r>',
      'a b\nc-de',
    ],
    [
      'a text box once',
      `<w:r><mc:AlternateContent><mc:Choice><w:drawing><a:graphic><a:graphicData><wps:txbx><w:txbxContent>${paragraph('boxed')}</w:txbxContent></wps:txbx></a:graphicData></a:graphic></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>${paragraph('boxed')}</w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`,
      'boxed',
    ],
  ])('has %s', async (_, inner, expected) => {
    expect(await textOf(`<w:p>${inner}</w:p>`)).toBe(expected);
  });

  const cell = (words: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(words)}</w:tc>`;
  it.each([
    [
      'with cells across columns',
      `<w:tr>${cell('a', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('b')}${cell('c')}</w:tr>`,
      '| a |  |\n| --- | --- |\n| b | c |',
    ],
    [
      'with cells across rows',
      `<w:tr>${cell('a', '<w:vMerge w:val="restart"/>')}${cell('b')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('c')}</w:tr>`,
      '| a | b |\n| --- | --- |\n| a | c |',
    ],
    ['of one column as its text', `<w:tr>${cell('framed')}</w:tr><w:tr>${cell('words')}</w:tr>`, 'framed\n\nwords'],
    [
      'without deleted rows',
      `<w:tr>${cell('a')}${cell('b')}</w:tr><w:tr><w:trPr><w:del/></w:trPr>${cell('x')}${cell('y')}</w:tr>`,
      '| a | b |\n| --- | --- |',
    ],
    [
      'in a table',
      `<w:tr>${cell('a')}<w:tc><w:tbl><w:tr>${cell('b')}${cell('c')}</w:tr></w:tbl><w:p/></w:tc></w:tr>`,
      '| a | b c |\n| --- | --- |',
    ],
  ])('has a table %s', async (_, rows, expected) => {
    expect(await textOf(`<w:tbl>${rows}</w:tbl>`)).toBe(expected);
  });

  it('has notes after their paragraph, and comments with their authors', async () => {
    const note = (kind: string, id: number, words: string, more = '') =>
      `<w:${kind} w:id="${id}" ${more}>${paragraph(words)}</w:${kind}>`;
    const refer = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
    const body =
      paragraph(run('Deep') + refer('footnote', 2) + refer('comment', 5)) +
      paragraph(run('Wide') + refer('endnote', 1)) +
      paragraph('End');
    const parts = {
      'footnotes/footnotes.xml': `<w:footnotes>${note('footnote', -1, 'separator')}${note('footnote', 2, 'At low tide.')}</w:footnotes>`,
      'endnotes/endnotes.xml': `<w:endnotes>${note('endnote', 1, 'By the chart.')}</w:endnotes>`,
      'comments/comments.xml': `<w:comments>${note('comment', 5, 'How deep?', 'w:author="Ada"')}</w:comments>`,
    };
    expect(await textOf(body, parts)).toBe(
      'Deep[1]\n\n[1] At low tide.\n\nComment by Ada: How deep?\n\nWide[2]\n\n[2] By the chart.\n\nEnd',
    );
  });

  it('ends with headers and footers, each once, below no heading and without numbers of pages', async () => {
    const part = (kind: string, inner: string) => `<w:${kind}>${inner}</w:${kind}>`;
    const { text, blocks } = await read(
      documentOf(paragraph('Head', '<w:outlineLvl w:val="0"/>') + paragraph('Body'), {
        'header/header1.xml': part('hdr', paragraph('Harbour office')),
        'header/header2.xml': part('hdr', paragraph('Harbour office')),
        'header/header3.xml': part(
          'hdr',
          `<w:p><w:r><w:pict><v:shape><v:textpath string="DRAFT"/></v:shape></w:pict></w:r></w:p>`,
        ),
        'footer/footer1.xml': part(
          'ftr',
          `<w:tbl><w:tr><w:tc>${paragraph('Pier 4')}</w:tc></w:tr></w:tbl>${paragraph('12')}`,
        ),
      }),
    );
    expect(text).toBe('Head\n\nBody\n\nHarbour office\n\nDRAFT\n\nPier 4\n');
    expect(blocks.at(-1)?.headingPath).toEqual([]);
  });

  it('has its charts and diagrams', async () => {
    const body =
      '<w:p><w:r><w:drawing><a:graphicData><c:chart r:id="r0"/></a:graphicData></w:drawing></w:r></w:p><w:p><w:r><w:drawing><a:graphicData><dgm:relIds r:dm="r1"/></a:graphicData></w:drawing></w:r></w:p>';
    const parts = {
      'chart/chart1.xml': '<c:chartSpace><c:title><a:p><a:r><a:t>Ships</a:t></a:r></a:p></c:title></c:chartSpace>',
      'diagramData/data1.xml': '<dgm:dataModel><dgm:pt><a:p><a:r><a:t>Moor</a:t></a:r></a:p></dgm:pt></dgm:dataModel>',
    };
    expect(await textOf(body, parts)).toBe('Ships\n\n- Moor');
  });

  it('names parts that are not read', async () => {
    const bytes = documentOf(paragraph('Body'), { 'aFChunk/page.xml': '<p/>' });
    const { warnings } = await extractFile(createDocxExtractor(), 'a.docx', bytes);
    expect(warnings?.map(({ note }) => note)).toEqual(['part word/page.xml (an embedded document) was not read']);
  });
});
