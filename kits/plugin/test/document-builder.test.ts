import { assertExtracted } from '@kebab/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentBuilder, type ExtractedDocument } from '../src/index.ts';

const shown = ({ text, blocks }: ExtractedDocument) =>
  blocks.map(({ kind, start, end, headingPath, sourceSpan }) => [
    kind,
    text.slice(start, end),
    headingPath.join(' / '),
    sourceSpan.kind === 'anchor' ? sourceSpan.anchor : sourceSpan.kind,
  ]);

describe('DocumentBuilder', () => {
  it('computes offsets, headings and sections of pieces', () => {
    const document = new DocumentBuilder()
      .paragraph('Before all headings.')
      .heading(1, 'Harbour')
      .paragraph('  Opens\r\nat six. ')
      .heading(2, 'Fees')
      .list(['cash', 'card'])
      .heading(2, 'Fees')
      .code('pay()', 'js')
      .build();
    expect(shown(document)).toEqual([
      ['paragraph', 'Before all headings.', '', 'section=top'],
      ['heading', 'Harbour', '', 'section=harbour'],
      ['paragraph', 'Opens\nat six.', 'Harbour', 'section=harbour'],
      ['heading', 'Fees', 'Harbour', 'section=fees'],
      ['list', '- cash\n- card', 'Harbour / Fees', 'section=fees'],
      ['heading', 'Fees', 'Harbour', 'section=fees-2'],
      ['code', 'pay()', 'Harbour / Fees', 'section=fees-2'],
    ]);
    expect(document.title).toBe('Harbour');
    assertExtracted(document);
  });

  it('cites pieces by the place that was set last', () => {
    const document = new DocumentBuilder()
      .at({ sheet: 'Q3', row: 2 })
      .row(['Port', 'Depth', ''], ['Busan', '12', 'deep'])
      .at({ sheet: 'Q3', row: 3 })
      .row(['Port', 'Depth', ''], ['', '9', ''])
      .build();
    expect(shown(document)).toEqual([
      ['table', 'Port: Busan | Depth: 12 | deep', '', 'sheet=Q3&row=2'],
      ['table', 'Depth: 9', '', 'sheet=Q3&row=3'],
    ]);
    expect(document.text).toBe('Port: Busan | Depth: 12 | deep\nDepth: 9\n');
  });

  it('counts pages and the offsets in them', () => {
    const document = new DocumentBuilder().page().paragraph('one').page().page().paragraph('three').build();
    expect(document.pages).toEqual([
      { page: 1, start: 0, end: 3 },
      { page: 2, start: 3, end: 3 },
      { page: 3, start: 5, end: 10 },
    ]);
    assertExtracted(document);
  });

  it('parses Markdown as converters write it', () => {
    const markdown = [
      '# Title #',
      'text\nmore',
      'Setext\n---',
      '- one\n  - two\n\n  still two\n- three',
      '1. first\n2. second',
      '| a | b |\n| - | - |',
      '> said\n> so',
      '```js\n# no heading\n\n```',
      '## [Links](x) and **bold** \\*',
      '~~~\nnever closed',
    ].join('\n\n');
    const document = new DocumentBuilder().markdown(markdown).build();
    expect(
      document.blocks.map((block) => (block.kind === 'heading' ? `${block.level} ${block.text}` : block.kind)),
    ).toEqual([
      '1 Title',
      'paragraph',
      '2 Setext',
      'list',
      'list',
      'table',
      'quote',
      'code',
      '2 Links and bold *',
      'code',
    ]);
    assertExtracted(document);
  });

  it('keeps its promises for any input', () => {
    const line = fc.constantFrom(
      '# a',
      '## b',
      '- x',
      '1. y',
      '> q',
      '| t |',
      '```',
      '~~~',
      '',
      '   ',
      'word',
      '---',
      '===',
      '😀\0',
    );
    fc.assert(
      fc.property(fc.array(fc.array(line)), (parts) => {
        const document = new DocumentBuilder();
        for (const [at, lines] of parts.entries()) document.at({ part: at + 1 }).markdown(lines.join('\n'));
        const built = document.build();
        assertExtracted(built);
        const words = parts.flat().filter((each) => each === 'word').length;
        expect(built.text.match(/word/g)?.length ?? 0).toBe(words);
      }),
    );
  });

  it('uses the first heading as the title if the given one is empty', () => {
    const book = (): DocumentBuilder => new DocumentBuilder().heading(1, 'Harbours');
    expect(book().build({ title: '' }).title).toBe('Harbours');
    expect(book().build({ title: 'Ports' }).title).toBe('Ports');
    expect('title' in new DocumentBuilder().build({ title: '' })).toBe(false);
  });

  it.each([
    '```\n'.repeat(200_000),
    '#'.repeat(2_000_000),
    `# ${' '.repeat(2_000_000)}x`,
    '- '.repeat(1_000_000),
    '> '.repeat(1_000_000),
  ])('parses megabytes of one construct in linear time', (text) => {
    assertExtracted(new DocumentBuilder().markdown(text).build());
  });
});
