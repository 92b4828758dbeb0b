import { DocumentBuilder } from '@kebab/plugin';
import { describe, expect, it } from 'vitest';
import { readHtml } from '../src/index.ts';

async function read(html: string, isXhtml = false): Promise<string> {
  const document = new DocumentBuilder();
  await readHtml(html, document, { isXhtml });
  return document.build().text.trimEnd();
}

const page = (css: string, body: string): string => `<title>T</title><style>${css}</style>${body}<p>end`;

describe('text that styles hide', () => {
  it.each([
    ['a class', '.gone{display:none}', '<p class="x gone">one'],
    ['an id', '#gone { color: red; display: none }', '<p id=gone>one'],
    ['an element', 'aside{display:none}', '<aside><h2>one</h2>two</aside>'],
    ['an attribute', '[data-role="hint"]{display:none}', '<p data-role=hint>one'],
    ['several at once', 'p.a#b, p.c.d {display:NONE!important}', '<p class="d c">one'],
    [
      'an element below another',
      '.menu .deep > i{display:none}',
      '<div class=menu><p><b class=deep><i>one</i></b></div>',
    ],
    ['visibility', '.gone{visibility:hidden}', '<div class=gone>one<p>two</p></div>'],
    ['a rule of screens', '@media screen { .gone { display: none } }', '<p class=gone>one'],
    ['a rule after a comment', '/* } */ .gone/* { */{ display : none; /* display: block; */ }', '<p class=gone>one'],
    ['the later of two rules', '.gone{display:flex} .gone{display:none}', '<p class=gone>one'],
    ['the stronger of two rules', '#a{display:none} p{display:block}', '<p id=a>one'],
    ['its attribute', '', '<p style="color: red; DISPLAY : none !important">one'],
    ['its attribute, in words that are elsewhere visible', '', '<p style="visibility: hidden">one'],
    ['a closed dialog', '', '<dialog><p>one</dialog>'],
  ])('is not read: %s', async (_, css, body) => {
    expect(await read(page(css, body))).toBe('end');
  });

  it.each([
    ['a rule for paper', '@media print { .x { display: none } }', '<p class=x>one'],
    ['a style element for paper', '</style><style media=print>.x{display:none}', '<p class=x>one'],
    ['a rule for narrow screens', '@media (max-width: 600px) { .x { display: none } }', '<p class=x>one'],
    ['a rule that another overrides', '.x{display:none} p.x{display:block}', '<p class=x>one'],
    ['a rule that an attribute overrides', '.x{display:none}', '<p class=x style="display: block">one'],
    ['what wide screens show', '.x{display:none} @media (min-width: 800px){ .x { display: block } }', '<p class=x>one'],
    [
      'what a class with a colon shows on wide screens',
      '.x{display:none} @media (min-width:1px){.md\\:b{display:block}}',
      '<p class="x md:b">one',
    ],
    ['a tab that another click opens', '.tab{display:none} .tab.active{display:block}', '<p class=tab>one'],
    ['a panel that a field opens', '.panel{display:none} input:checked ~ .panel{display:block}', '<p class=panel>one'],
    [
      'a menu that a pointer opens',
      '.menu ul{display:none} .menu:hover ul{display:block}',
      '<div class=menu><ul><p>one</ul></div>',
    ],
    [
      'a part of a hidden one that is visible',
      '.x{visibility:hidden} .y{visibility:visible}',
      '<div class=x>no<p class=y>one</p></div>',
    ],
    [
      'another element',
      'q.x{display:none} .a > .x{display:none} .a + .x{display:none}',
      '<div class=a></div><p class=x>one',
    ],
    [
      'the state of an element',
      '.x:empty{display:none} .x:not(.y){display:none} .x::before{display:none}',
      '<p class=x>one',
    ],
    ['a rule in the rule of another element', '.a { .x { display: none } }', '<p class=x>one'],
    ['a whole page, which a script shows', 'html{visibility:hidden} body{display:none!important}', '<p class=x>one'],
    ['an open dialog', '', '<dialog open><p>one</dialog>'],
    ['a popover', '', '<p popover id=a>one'],
    ['words about styles', '', '<p class=x>one<!-- .x{display:none} -->'],
    ['a sheet that breaks off', '.y{color:red} .x{display:none', '<p class=x>one'],
  ])('is read if it is not hidden: %s', async (_, css, body) => {
    expect(await read(page(css, body))).toBe('one\n\nend');
  });

  it('is not read in books either', async () => {
    const css = '<style><![CDATA[ .gone { display: none } ]]></style>';
    expect(await read(`<html><head>${css}</head><body><p class="gone">one</p><p>end</p></body></html>`, true)).toBe(
      'end',
    );
  });

  it('does not hold a hostile page up', async () => {
    const rules = Array.from({ length: 1900 }, (_, at) => `.a .b${at} .a > .a{display:none}`).join('');
    const depth = '<div class=a>'.repeat(300);
    const pages = [
      page('.a{display:none}', '<p class=a>one</p>'.repeat(50_000)),
      page('/*'.repeat(200_000), ''),
      page('{'.repeat(200_000), ''),
      page(`${'a,'.repeat(100_000)}a{display:none}`, ''),
      page(`.a${' '.repeat(200_000)}>b{display:none}`, ''),
      page(rules, `${depth}${'<i class=a></i>'.repeat(5000)}`),
    ];
    for (const html of pages) expect(await read(html)).toBe('end');
  });
});
