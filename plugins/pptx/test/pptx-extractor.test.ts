import { citedBlocks, extractDocument, extractFile } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { createPptxExtractor } from '../src/pptx-extractor.ts';
import { presentation, rels, shape, slide } from './presentation.ts';

const read = (content: Uint8Array) => extractDocument(createPptxExtractor(), 'a.pptx', content);

describe('a presentation', () => {
  it('is read in order, each block with its citation', async () => {
    const document = await read(presentation());
    expect(citedBlocks(document)).toEqual([
      ['heading', 'slide=1', 'Harbour plan'],
      ['paragraph', 'slide=1', 'For 2027'],
      ['heading', 'slide=2', 'Fees & dues'],
      ['paragraph', 'slide=2', 'Tugs pay twelve.\nFerries pay less.'],
      ['quote', 'slide=2', 'Mention the discount.'],
    ]);
  });
});

const xml = (text: string) => new TextEncoder().encode(text);
/** The blocks of the second slide, whose part is slide1.xml. */
const blocksOf = async (shapes: string, more: Readonly<Record<string, Uint8Array>> = {}) => {
  const { blocks, text } = await read(
    presentation({ 'ppt/slides/slide1.xml': slide(shapes), 'ppt/slides/_rels/slide1.xml.rels': rels(), ...more }),
  );
  return blocks
    .filter(({ sourceSpan }) => sourceSpan.kind === 'anchor' && sourceSpan.anchor === 'slide=2')
    .map(({ kind, start, end }) => [kind, text.slice(start, end)]);
};
const frame = (inner: string) =>
  `<p:graphicFrame><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></p:graphicFrame>`;

describe('a slide', () => {
  it('has the texts of a diagram as a list', async () => {
    const data =
      '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Moor</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Unload</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>';
    const more = {
      'ppt/diagrams/data7.xml': xml(data),
      'ppt/slides/_rels/slide1.xml.rels': rels(['d', 'diagramData', '../diagrams/data7.xml']),
    };
    expect(await blocksOf(shape('title', 'Steps') + frame('<dgm:relIds r:dm="d" r:lo="l"/>'), more)).toEqual([
      ['heading', 'Steps'],
      ['list', '- Moor\n- Unload'],
    ]);
  });

  it('has a chart as its title and a table', async () => {
    const data =
      '<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Ships a year</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:v>Ships</c:v></c:tx><c:cat><c:strLit><c:pt idx="0"><c:v>2024</c:v></c:pt></c:strLit></c:cat><c:val><c:numLit><c:pt idx="0"><c:v>12</c:v></c:pt></c:numLit></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>';
    const more = {
      'ppt/charts/chart3.xml': xml(data),
      'ppt/slides/_rels/slide1.xml.rels': rels(['c', 'chart', '/ppt/charts/chart3.xml']),
    };
    expect(await blocksOf(frame('<c:chart r:id="c"/>'), more)).toEqual([
      ['paragraph', 'Ships a year'],
      ['table', '|  | Ships |\n| --- | --- |\n| 2024 | 12 |'],
    ]);
  });

  it.each([
    [
      `<mc:AlternateContent><mc:Choice Requires="a14">${shape('', 'one')}</mc:Choice><mc:Fallback>${shape('', 'one')}</mc:Fallback></mc:AlternateContent>`,
      ['one'],
    ],
    [
      `<mc:AlternateContent><mc:Choice Requires="p14"><p:contentPart/></mc:Choice><mc:Fallback>${shape('', 'ink')}</mc:Fallback></mc:AlternateContent>`,
      ['ink'],
    ],
    [
      `<p:grpSp><mc:AlternateContent><mc:Choice Requires="a14">${shape('', 'deep')}</mc:Choice><mc:Fallback><p:pic/></mc:Fallback></mc:AlternateContent></p:grpSp>`,
      ['deep'],
    ],
    [
      `<mc:AlternateContent><mc:Choice Requires="x"></mc:Choice><mc:Choice Requires="y">${shape('', 'second')}</mc:Choice></mc:AlternateContent>`,
      ['second'],
    ],
    [
      `<p:sp><p:txBody><a:p><a:r><a:t>see </a:t></a:r><mc:AlternateContent><mc:Choice><a14:m><m:oMath><m:r><m:t>e=mc</m:t></m:r></m:oMath></a14:m></mc:Choice><mc:Fallback><a:r><a:t>e=mc</a:t></a:r></mc:Fallback></mc:AlternateContent></a:p></p:txBody></p:sp>`,
      ['see e=mc'],
    ],
  ])('has alternate content once: %s', async (shapes, words) => {
    expect(await blocksOf(shapes)).toEqual(words.map((text) => ['paragraph', text]));
  });

  it('has its table as a table, and no number of the slide', async () => {
    const row = (...cells: readonly string[]) =>
      `<a:tr>${cells.map((text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    expect(
      await blocksOf(frame(`<a:tbl>${row('Ship', 'Fee')}${row('Tug', '12')}</a:tbl>`) + shape('sldNum', '2')),
    ).toEqual([['table', '| Ship | Fee |\n| --- | --- |\n| Tug | 12 |']]);
  });

  it.each([
    [
      'ppt/commentAuthors.xml',
      '<p:cmAuthorLst><p:cmAuthor id="0" name="Ada"/></p:cmAuthorLst>',
      '<p:cmLst><p:cm authorId="0"><p:text>Too small</p:text></p:cm></p:cmLst>',
      ['Comment by Ada: Too small'],
    ],
    [
      'ppt/authors.xml',
      '<p188:authorLst><p188:author id="{A}" name="Bea"/></p188:authorLst>',
      '<p188:cmLst><p188:cm authorId="{A}"><p188:replyLst><p188:reply authorId="{B}"><p188:txBody><a:p><a:r><a:t>Done</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>Move it</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>',
      ['Comment by Bea: Move it', 'Comment: Done'],
    ],
  ])('has its comments with their authors, by %s', async (path, authors, comments, expected) => {
    const more = {
      [path]: xml(authors),
      'ppt/comments/c1.xml': xml(comments),
      'ppt/slides/_rels/slide1.xml.rels': rels(['c', 'comments', '../comments/c1.xml']),
    };
    expect(await blocksOf('', more)).toEqual(expected.map((text) => ['quote', text]));
  });

  it('that is missing is named, and the others are read', async () => {
    const bytes = presentation({
      'ppt/_rels/presentation.xml.rels': rels(['a', 'slide', 'slides/gone.xml'], ['b', 'slide', 'slides/slide2.xml']),
    });
    const { warnings, text } = await extractFile(createPptxExtractor(), 'a.pptx', bytes);
    expect(warnings).toEqual([{ kind: 'extract_failed', note: 'slide 2 was not read: its part is missing' }]);
    expect(text).toContain('Harbour plan');
  });
});
