import { describe, expect, it } from 'vitest';
import { openHtmlHeadings } from '../../src/parse/html-headings.ts';
import { MarkdownTree } from '../../src/parse/markdown-tree.ts';
import { readBlocks } from '../../src/parse/read-blocks.ts';

const findHtmlHeadings = await openHtmlHeadings();

/** The headings of a text with level, words and lines, and the path of each other block. */
function outline(text: string): readonly string[] {
  const { blocks } = readBlocks({
    text,
    bodyLine: 1,
    tree: MarkdownTree.parse(text),
    htmlHeadings: findHtmlHeadings,
  });
  return blocks.map((block) => {
    if (block.sourceSpan.kind !== 'line') throw new Error('a block of Markdown lies on lines');
    const lines = `${block.sourceSpan.start}-${block.sourceSpan.end}`;
    return block.kind === 'heading'
      ? `h${block.level} ${block.text} ${lines}`
      : `${block.headingPath.join(' > ')}: ${text.slice(block.start, block.end).split('\n')[0]} ${lines}`;
  });
}

describe('headings written as HTML', () => {
  it.each([
    ['of one line', '<h2 id="kiln">Kiln &amp; glaze</h2>\n\nheat\n', ['h2 Kiln & glaze 1-1', 'Kiln & glaze: heat 3-3']],
    [
      'inside a div, with lines around them',
      '<div align="center">\n  <img src="l.svg" alt="Logo">\n  <h1>Weir <em>pole</em></h1>\n  <p>Since spring</p>\n</div>\n\nflow\n',
      [': <div align="center"> 1-2', 'h1 Weir pole 3-3', 'Weir pole:   <p>Since spring</p> 4-5', 'Weir pole: flow 7-7'],
    ],
    [
      'over several lines, with a picture and a line break',
      '<h1 align=center>\n  <img src="x.png" alt="Mark">\n  <br>\n  Ropewalk<br/>Press\n</h1>\ntext\n',
      ['h1 Ropewalk Press 1-5', 'Ropewalk Press: text 6-6'],
    ],
    [
      'that only show a picture',
      '<h1><img src="a.svg" alt="Tannery"></h1>\n\nx\n',
      ['h1 Tannery 1-1', 'Tannery: x 3-3'],
    ],
    [
      'with Markdown between blank lines',
      '<h1 align="center">\n\nThe *Salt* `pan`\n\n</h1>\n\n<h3>\n\nRakes\n\n</h3>\nraking\n',
      ['h1 The Salt pan 1-5', 'h3 Rakes 7-11', 'The Salt pan > Rakes: raking 12-12'],
    ],
    [
      'mixed with those of Markdown',
      '<h1>Mill</h1>\n\n## Stones\n\na\n\n<H3 class="x">Dressing</H3>\n\nb\n\n<h2>Sluice</h2>\n\nc\n',
      [
        'h1 Mill 1-1',
        'h2 Stones 3-3',
        'Mill > Stones: a 5-5',
        'h3 Dressing 7-7',
        'Mill > Stones > Dressing: b 9-9',
        'h2 Sluice 11-11',
        'Mill > Sluice: c 13-13',
      ],
    ],
    ['several on a line', '<h1>Loom</h1><h2>Warp</h2> threads\n', ['h1 Loom 1-1', 'h2 Warp 1-1']],
    ['after a named anchor', '<a name="weft"></a><h2>Weft</h2>\n\nx\n', ['h2 Weft 1-1', 'Weft: x 3-3']],
    [
      'in a table and in details',
      '<table><tr><td>\n<h3>Oak</h3>\nhard\n</td></tr></table>\n\n<details>\n<summary>More</summary>\n<h4>Elm</h4>\n</details>\n',
      [
        ': <table><tr><td> 1-1',
        'h3 Oak 2-2',
        'Oak: hard 3-4',
        'Oak: <details> 6-7',
        'h4 Elm 8-8',
        'Oak > Elm: </details> 9-9',
      ],
    ],
    ['that nothing closes', '<h2>Ferry\n\ncrossing\n', ['h2 Ferry 1-1', 'Ferry: crossing 3-3']],
  ])('make sections: %s', (_, text, expected) => {
    expect(outline(text)).toEqual(expected);
  });

  it.each([
    ['in a comment', '<!--\n\n<h2>Old</h2>\n\n-->\n'],
    ['in a script', '<script>\nconst a = "<h2>Old</h2>";\n</script>\n'],
    ['in a fence', '```html\n<h2>Old</h2>\n```\n'],
    ['in indented code', 'x\n\n    <h2>Old</h2>\n'],
    ['in a code span', '<b>Use</b> the tag `<h2>Old</h2>` here\n'],
    ['in a sentence', 'A line may say <h2>Old</h2> in the middle.\n'],
    ['in an attribute', '<div title="<h2>Old</h2>">\nx\n</div>\n'],
    ['in quotes and lists', '> <h2>Old</h2>\n\n- <h2>Old</h2>\n'],
    ['without words', '<h2></h2>\n\n<h2><img src="x.png"></h2>\n'],
    ['of another name', '<header>Old</header>\n\n<hr>\n\n<h7>Old</h7>\n'],
  ])('are none %s', (_, text) => {
    expect(outline(text).filter((line) => /^h\d /.test(line))).toEqual([]);
  });

  it('lose no line of the text', () => {
    const text = '<center>\na\n<h1>B</h1>\nc <h2>D\ne</h2> f\n\n<!-- g -->\n</center>\nh\n';
    const { blocks } = readBlocks({
      text,
      bodyLine: 1,
      tree: MarkdownTree.parse(text),
      htmlHeadings: findHtmlHeadings,
    });
    const covered = blocks.map(({ start, end }) => text.slice(start, end)).join('\n');
    for (const word of 'a B c D e f g h'.split(' ')) expect(covered.split(/\W+/)).toContain(word);
  });

  it.each([
    '<h1>'.repeat(200_000),
    '<h1 a="'.repeat(200_000),
    `<div>`.repeat(200_000) + '<h1>x',
    '<h2>x</h2>'.repeat(100_000),
  ])('are read to the end of a hostile text (%#)', (text) => {
    expect(outline(text).length).toBeGreaterThan(0);
  });
});
