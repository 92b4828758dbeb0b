import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractDocument } from '@kebab/testing';
import { createMarkdownExtractor } from '../../src/md-extractor.ts';
import { boundInlineCost, nestsTooDeep } from '../../src/parse/bound-inline-cost.ts';
import { MarkdownTree } from '../../src/parse/markdown-tree.ts';
import { readBlocks } from '../../src/parse/read-blocks.ts';

/**
 * How much the parser stores for references and addresses: for each one, all preceding characters of its paragraph. An empty line ends a
 * paragraph, and so does a fence.
 */
function storedForMarks(text: string): number {
  let stored = 0;
  for (const paragraph of text.split(/\n(?:(?:[ \t]*\n)+|(?= {0,3}`{3,}[^`\n]*(?:\n|$)))/))
    for (const { index } of paragraph.matchAll(/&|www\./gi)) stored += index + 1;
  return stored;
}

/** The kinds and texts of blocks when the parser is given `parsed` instead of `text`. */
function outlineOf(text: string, parsed: string): readonly string[] {
  const { blocks } = readBlocks({ text, bodyLine: 1, tree: MarkdownTree.parse(parsed) });
  return blocks.map(({ kind, start, end }) => `${kind === 'imageref' ? 'paragraph' : kind} ${text.slice(start, end)}`);
}

const WORDS = [
  'Tom',
  'a_b',
  '**bold**',
  '_x_',
  '`code`',
  '&amp;',
  '&nbsp;',
  'x@y.org',
  'www.x.org',
  'http://x.org',
  '[link](to)',
  '<b>',
  '\\*',
  '중',
];
const STARTS = [
  '',
  '',
  '# ',
  '- ',
  '* ',
  '1. ',
  '12) ',
  '> ',
  '> - ',
  '  ',
  '    ',
  '| ',
  '```',
  '```js ',
  '~~~',
  '<div>',
  '</div>',
  '<!-- ',
  '<![CDATA[ ',
  '<script>',
  '[a]: ',
  '[a_b]: ',
  '[^1]: ',
];
const ENDS = ['', '', ' |', ' -->', '</script>', ']]>', '  ', '>'];
const LINES = ['', '', '', '===', '---', '***', '___', '|-|-|', '```', '~~~', '-', '>', '[a]: b'];
const line = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...LINES) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...STARTS),
        fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(...ENDS),
      )
      .map(([start, words, end]) => `${start}${words.join(' ')}${end}`),
  },
);

describe('boundInlineCost', () => {
  it('returns a text unchanged if no paragraph exceeds the budget', () => {
    const paragraph = `Tom &amp; Jerry, *once* and again in \`a_b\`. `.repeat(20);
    const text = `# One &amp; two\n\n${`${paragraph}\n\n- [item](to)\n`.repeat(200)}`;
    expect(boundInlineCost(text)).toBe(text);
  });

  it('bounds the memory for references and addresses by a fixed multiple of the length of the text', () => {
    const unit = fc.array(
      fc.constantFrom('&amp;', '&#35;', 'www.', '`', 'a', '_', ' ', '\n', '\n\n', '> ', '| ', '중'),
      {
        minLength: 1,
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 20_000 }), (parts, times) => {
        const text = parts.join('').repeat(times);
        expect(storedForMarks(boundInlineCost(text))).toBeLessThanOrEqual(400 * text.length);
      }),
      { numRuns: 200, examples: [[['\n', '`', '`', '`', '&amp;'], 800]] },
    );
  });

  it('preserves the kind and the lines of every block, wherever marks are replaced', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join('\n');
        expect(outlineOf(text, boundInlineCost(text, 0))).toEqual(outlineOf(text, text));
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['references line by line', 'Tom &amp; Jerry&nbsp;1\n', 528_000],
    ['references without a space', '&amp;', 500_000],
    ['references in a quote', '> &amp;\n', 500_000],
    ['references in a table without a head', '| &amp; |\n', 500_000],
    ['addresses', '`www.', 200_000],
    ['addresses line by line', 'www.  \n', 200_000],
    ['underscores', 'a_', 1_000_000],
    ['a long line in Chinese', '中文[字](http://a.b/中) **重** ', 836_000],
    ['escapes and addresses', 'a\\@b.c ', 500_000],
    ['an address in angle brackets', '<http://a&amp;', 500_000],
  ])('makes a long paragraph with %s parsable, between its heading and the next', async (_name, unit, bytes) => {
    const much = unit.repeat(bytes / Buffer.byteLength(unit));
    const text = `# Above *all* &amp; more\n\n${much}\n\n## Below &amp; after\n\nneedle\n`;
    const { blocks, title } = await extractDocument(createMarkdownExtractor(), 'much.md', text);
    expect(title).toBe('Above all & more');
    expect(blocks.map(({ kind }) => kind)).toEqual([
      'heading',
      unit.startsWith('>') ? 'quote' : 'paragraph',
      'heading',
      'paragraph',
    ]);
    expect(blocks[1]).toMatchObject({
      start: text.indexOf(much),
      end: text.indexOf(much) + much.replace(/\n$/, '').length,
    });
    expect(blocks[3]).toMatchObject({ headingPath: ['Above all & more', 'Below & after'] });
  });
});

describe('nestsTooDeep', () => {
  it.each([
    ['>'.repeat(100), true],
    ['> '.repeat(99), false],
    [`text\n${'1. '.repeat(100)}x`, true],
    [`  ${'- '.repeat(100)}x`, true],
    ['*'.repeat(500), false],
    ['-'.repeat(500), false],
    ['=> '.repeat(200), false],
    ['- '.repeat(300), false],
    ['- * '.repeat(50), true],
    ['', false],
  ])('of %j is %s', (text, deep) => {
    expect(nestsTooDeep(text)).toBe(deep);
  });

  it.each(['>', '1. ', '- ', '> - ', '- * '])('turns megabytes of %j into plain paragraphs', async (marker) => {
    const text = `# Above\n\n${marker.repeat(2_000_000 / marker.length)}needle\n\nbelow\n`;
    const { blocks, title } = await extractDocument(createMarkdownExtractor(), 'deep.md', text);
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph', 'paragraph']);
    expect(title).toBe('deep');
  });
});
