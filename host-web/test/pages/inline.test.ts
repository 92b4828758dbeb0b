import { describe, expect, it } from 'vitest';
import { html } from '../../src/html.ts';
import { inline, withoutMarkup } from '../../src/pages/inline.ts';

describe('withoutMarkup', () => {
  it.each([
    ['a table', '| step | time |\n|---|---:|\n| wash | 5 min |\n| dry | 1 h |', 'step · time\nwash · 5 min\ndry · 1 h'],
    ['a table in one line', '| step | time | |---|---| | wash | 5 min |', 'step · time · wash · 5 min'],
    ['the middle of a table', '… 5 min | | dry | 1 h | | iron …', '… 5 min · dry · 1 h · iron …'],
    ['aligned columns', '| 단계 | 시간 |\n|:---|:---:|\n| 세탁 | 5분 |', '단계 · 시간\n세탁 · 5분'],
    ['a sign that is no table', 'a | b means a or b', 'a | b means a or b'],
    ['an expression in code', '`x || y` and `a|b`', 'x || y and a|b'],
    ['links, pictures and emphasis', '**Use** the [guide](a.md) ![logo](x.png) *now*', 'Use the guide logo now'],
    ['links of wikis', 'see [[notes/tea|Tea]] and [[milk]]', 'see Tea and milk'],
    ['code in emphasis', '**`/clr`** and *[`a|b`](x.md)*', '/clr and a|b'],
    ['a formula', 'of $a_i*b*c$ and 5$', 'of $a_i*b*c$ and 5$'],
    ['headings', '## Boats\n\nA boat.', 'Boats\n\nA boat.'],
    ['items of a list', '- black tea\n* oolong', 'black tea\noolong'],
    ['a block of code in one line', 'Then: ```sh kettle | tee ``` and `x`', 'Then: kettle | tee and x'],
    ['a block of code that is cut', 'Then: ```c++ kettle …', 'Then: kettle …'],
    ['text of HTML, which stays text', '<b>x</b> & <script>', '<b>x</b> & <script>'],
  ])('leaves the words of %s', (_, markdown, text) => {
    expect(withoutMarkup(markdown)).toBe(text);
  });

  it('is not held up by a hostile line', () => {
    for (const piece of ['| ', '|-', '[', '**', '`', '![](', '|---', '| |', '         ', '| \t\t\t'])
      expect(withoutMarkup(piece.repeat(100_000))).toBeTypeOf('string');
  });
});

describe('inline', () => {
  it.each([
    ['code as the name of a link', '[`/Za`](za.md)', /<a href="[^"]*za\.md"\s*><code>\/Za<\/code><\/a>/],
    ['emphasis as the name of a link', '[**more**](m.md)', /<a [^>]*><strong>more<\/strong><\/a>/],
    ['a link in emphasis', '**[more](m.md)**', /<strong><a [^>]*>more<\/a><\/strong>/],
    ['code in emphasis', '*`x`*', /<em><code>x<\/code><\/em>/],
    [
      'the link of a wiki',
      'see [[tea#Milk|the milk]]',
      /see <a href="\/doc\/default\/notes\/tea\.md\?at=Milk#cited">the milk<\/a>/,
    ],
    ['a link to no document', '[gone](gone.md) ![[gone]]', /^gone gone$/],
    ['a formula as it is written', '$a*b*c$ costs $5 or $6', /^<code>\$a\*b\*c\$<\/code> costs \$5 or \$6$/],
    ['a link that is none', '[`x`](javascript:alert(1))', /^(?!.*href)/],
  ])('shows %s', (_, text, shown) => {
    const uris = [...['za.md', 'm.md'].map((path) => [path, path] as const), ['tea', 'notes/tea.md'] as const];
    const context = { links: new Map(uris), light: (one: string) => one };
    expect(String(html`${inline(text, context)}`)).toMatch(shown);
  });
});
