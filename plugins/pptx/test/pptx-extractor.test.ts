import { citedBlocks, extractDocument, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createPptxExtractor } from '../src/pptx-extractor.ts';
import { presentation, rels, shape, slide } from './presentation.ts';

const read = (content: Uint8Array) => extractDocument(createPptxExtractor(), 'a.pptx', content);

describe('a presentation', () => {
  it('is read in order, each block with its citation', async () => {
    const document = await read(presentation());
    expect(document.title).toBe('Harbour plan');
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

describe('a slide', () => {
  it('has no number of the slide', async () => {
    expect(await blocksOf(shape('', 'Fees') + shape('sldNum', '2'))).toEqual([['paragraph', 'Fees']]);
  });

  it('has the alternative text of a picture, but not the name of its file', async () => {
    const picture = (text: string) =>
      `<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 1" descr="${text}"/></p:nvPicPr></p:pic>`;
    expect(await blocksOf(picture('A chart of the bay.') + picture('harbour view.png'))).toEqual([
      ['paragraph', 'A chart of the bay.'],
    ]);
  });

  it('has its comments and the answers to them, with authors that it knows', async () => {
    const authors = '<p188:authorLst><p188:author id="{A}" name="Bea"/></p188:authorLst>';
    const comments =
      '<p188:cmLst><p188:cm authorId="{A}"><p188:replyLst><p188:reply authorId="{B}"><p188:txBody><a:p><a:r><a:t>Done</a:t></a:r></a:p></p188:txBody></p188:reply></p188:replyLst><p188:txBody><a:p><a:r><a:t>Move it</a:t></a:r></a:p></p188:txBody></p188:cm></p188:cmLst>';
    const more = {
      'ppt/authors.xml': xml(authors),
      'ppt/comments/c1.xml': xml(comments),
      'ppt/slides/_rels/slide1.xml.rels': rels(['c', 'comments', '../comments/c1.xml']),
    };
    expect(await blocksOf('', more)).toEqual([
      ['quote', 'Comment by Bea: Move it'],
      ['quote', 'Comment: Done'],
    ]);
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
