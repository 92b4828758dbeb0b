import { DocumentBuilder } from '@kebab/plugin';
import { describe, expect, it } from 'vitest';
import { decodePage, readHtml, type HtmlOptions } from '../src/index.ts';

async function read(html: string, options?: HtmlOptions): Promise<string> {
  const document = new DocumentBuilder();
  await readHtml(html, document, options);
  return document.build().text.trimEnd();
}

describe('the text of a page', () => {
  it.each([
    ['without html, head and body tags', '<title>T</title><p>one<p>two', 'one\n\ntwo'],
    ['with a head that is never closed', '<head><meta charset=utf-8><title>T</title><h1>One</h1>two', 'One\n\ntwo'],
    ['with body text before any tag', 'one<p>two', 'one\n\ntwo'],
    ['with misnested formatting', '<p><b>one <i>two</b> three</i> four', 'one two three four'],
    [
      'with text that a table puts outside',
      '<table>one<tr><td>two<td>three</table>',
      'one\n\n| two | three |\n| --- | --- |',
    ],
    [
      'with text inside and outside of a table in turns',
      '<p>zero <!-- a comment --> one</p>two<table>three<tr><td>four<td>five</table> six<b> seven</b> eight',
      'zero one\n\ntwothree\n\n| four | five |\n| --- | --- |\n\nsix seven eight',
    ],
    ['with a heading in a button', '<button><h2>One</h2></button><p>two', 'One\n\ntwo'],
    ['with a button in a heading', '<h2><button>One</button></h2><p>two', 'One\n\ntwo'],
    ['with a link around blocks', '<a href=x><h2>One</h2><p>two</p></a>three', 'One\n\ntwo\n\nthree'],
    [
      'with fields',
      '<label>Name<input value=Ann></label><select><option>red<option>blue</select>',
      'Name Ann red blue',
    ],
    ['with a navigation and a footer', '<nav>one</nav><p>two</p><footer>three</footer>', 'one\n\ntwo\n\nthree'],
    ['with details', '<details><summary>one</summary>two</details>', 'one\n\ntwo'],
    ['with words joined by tags', '<p>in<b>divis</b>ible<wbr>ly a&shy;b', 'indivisiblely a\u00ADb'],
    ['with line breaks', '<p>one<br>two<br><br>three', 'one\ntwo\n\nthree'],
    ['with a link of a heading to itself', '<h2>One<a href="#one">¶</a></h2>', 'One'],
    [
      'with words for screen readers alone left out',
      '<p>one<span hidden>x</span><span style="display: none">y</span>',
      'one',
    ],
    ['with text that screen readers skip', '<p>one <span aria-hidden="true">two</span>', 'one two'],
    [
      'with a formula once',
      '<span><math><mi>x</mi><annotation>tex</annotation></math><span aria-hidden="true">x</span></span>',
      'x',
    ],
    ['with a phonetic guide', '<p><ruby>東<rt>とう</rt>京<rp>(</rp><rt>きょう</rt></ruby>は', '東京 (とうきょう)は'],
    [
      'with a phonetic guide for each letter',
      '<p>この<ruby>急<rt>きゅう</rt></ruby><ruby>須<rt>す</rt></ruby>と<ruby>皿<rt>さら</rt></ruby>',
      'この急須 (きゅうす)と皿 (さら)',
    ],
    [
      'with fields that say what to enter',
      '<input placeholder=Street><textarea placeholder=Why></textarea>',
      'Street Why',
    ],
    [
      'with fields that are filled in',
      '<input placeholder=Street value=Quay><textarea placeholder=Why>Rain</textarea><input type=password value=x>',
      'Quay Rain',
    ],
    ['with a quotation', '<blockquote><p>one</p></blockquote><p><q>two</q>', 'one\n\n“two”'],
  ])('%s', async (_, html, text) => {
    expect(await read(html)).toBe(text);
  });

  it.each('script iframe audio video canvas object textarea select button nav style title a p'.split(' '))(
    'of XHTML goes on after <%s/>',
    async (name) => {
      const page = `<html xmlns="http://www.w3.org/1999/xhtml"><body><${name}/><p>one</p></body></html>`;
      expect(await read(page, { isXhtml: true })).toBe('one');
    },
  );
});

describe('a list', () => {
  it.each([
    ['that starts elsewhere', '<ol start=5><li>one<li>two</ol>', '5. one\n6. two'],
    ['with a value', '<ol><li>one<li value=7>two<li>three</ol>', '1. one\n7. two\n8. three'],
    ['that counts down', '<ol reversed><li>one<li>two</ol>', '2. one\n1. two'],
    ['with letters', '<ol type=a start=26><li>one<li>two</ol>', 'z. one\naa. two'],
    ['with numerals', '<ol type=I start=4><li>one</ol>', 'IV. one'],
    ['with a style', '<ol style="list-style-type: lower-alpha"><li>one<li>two</ol>', 'a. one\nb. two'],
    ['with a style of several words', '<ol style="margin:0;list-style:inside upper-roman"><li>one</ol>', 'I. one'],
    ['without markers', '<ol style="list-style: none"><li>one<li>two</ol>', 'one\ntwo'],
    ['with numbers though unordered', '<ul style="list-style-type:decimal"><li>one<li>two</ul>', '1. one\n2. two'],
    ['with signs though ordered', '<ol style="list-style-type:disc"><li>one</ol>', '- one'],
    ['with an item of another style', '<ol><li>one<li style="list-style-type:upper-alpha">two</ol>', '1. one\nB. two'],
    ['with an unknown style', '<ol style="list-style-type:gold"><li>one</ol>', '1. one'],
    ['in a list', '<ol><li>one<ol type=a><li>two<li>three</ol><li>four</ol>', '1. one\n  a. two\n  b. three\n2. four'],
    ['that goes on', '<ol><li>one</ol><p>and<ol start=2><li>two</ol>', '1. one\n\nand\n\n2. two'],
    ['of paragraphs', '<ul><li><p>one</p><p>two</p></ul>', '- one\n  two'],
    ['with a listing', '<ol><li>run<pre>a\n  b</pre></ol>', '1. run\n  a\n    b'],
    ['with headings', '<ol><li><h3>One</h3>two</ol>', '1. One\n\ntwo'],
    ['whose lists are not in its items', '<ul><li>one<ul><li>two</ul></ul>', '- one\n  - two'],
  ])('%s', async (_, html, text) => {
    expect(await read(html)).toBe(text);
  });
});

describe('preformatted text', () => {
  it.each([
    ['in a quote', '<blockquote><pre>a\n  b</pre></blockquote>'],
    ['in a definition', '<dl><dd><pre>a\n  b</pre></dl>'],
    ['in a cell', '<table><tr><td>1<td><pre>a\n  b</pre></table>'],
    ['whose lines are blocks', '<pre><div>a</div><div>  b</div></pre>'],
    ['with line breaks as tags', '<pre>a<br>  b</pre>'],
  ])('%s keeps its lines', async (_, html) => {
    expect(await read(html)).toMatch(/(?:^|\n)a\n {2}b(?:\n|$)/);
  });
});

it('keeps every word of a text of megabytes, in order', async () => {
  const words = Array.from({ length: 100_000 }, (_, at) => `word${at}`).join(' ');
  expect(await read(`<p>${words}<b>bold</b> ${words}`)).toBe(`${words}bold ${words}`);
});

describe('a table', () => {
  it.each([
    ['of data', '<tr><th>a<th>b<tr><td>1<td>2', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['with a cell that spans rows', '<tr><td rowspan=2>a<td>1<tr><td>2', '| a | 1 |\n| --- | --- |\n| a | 2 |'],
    ['with a cell that spans columns', '<tr><td colspan=2>a<tr><td>1<td>2', '| a |  |\n| --- | --- |\n| 1 | 2 |'],
    ['with a caption', '<caption>c</caption><tr><td>1<td>2', 'c\n\n| 1 | 2 |\n| --- | --- |'],
    ['of layout', '<tr><td><h2>a</h2>b<td>c', 'a\n\nb\n\nc'],
    ['in a table', '<tr><td><table><tr><td>a<td>b</table><td>c', '| a | b |\n| --- | --- |\n\nc'],
  ])('%s', async (_, rows, text) => {
    expect(await read(`<table>${rows}</table>`)).toBe(text);
  });
});

describe('the main text of a page', () => {
  const prose = `<p>${'The harbour opens at six, and closes when the tide is out, as everyone knows. '.repeat(6)}</p>`;

  it('comes first with its heading, once, and everything around it last', async () => {
    const text = await read(
      `<div class=menu><a href=/>Home</a></div><div class=sidebar><h3>News</h3></div><main><h1>Harbour</h1>${prose}${prose}` +
        `<h2 class="share related">Notes</h2><p>after</p></main><footer>Imprint</footer>`,
      { isMainFirst: true },
    );
    expect(text).toMatch(/^Harbour\n\nThe harbour/);
    expect(text.match(/Harbour(?=\n|$)/g)).toHaveLength(1);
    expect(text).toMatch(/Notes\n\nafter[^]*Home[^]*News[^]*Imprint$/);
  });
});

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
const declared = (declaration: string, ...bytes: readonly number[]): ReturnType<typeof decodePage> =>
  decodePage(Uint8Array.from([...latin1(declaration), ...bytes]));

describe('the bytes of a page', () => {
  it.each([
    ['<meta charset="ISO-8859-1">', [0x4d, 0xfc], 'Mü'],
    ["<html><META charset = 'euc-kr' />", [0xc7, 0xd1, 0xb1, 0xdb], '한글'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=shift_jis">', [0x93, 0xfa], '日'],
    ['<?xml version="1.0" encoding="windows-1251"?>', [0xcf], 'П'],
    [`<script>${' '.repeat(5000)}</script><meta charset=gbk>`, [0xcc, 0xd5], '陶'],
    ['<meta charset="iso-8859-1">', [0x80, 0x93, 0x96, 0x94, 0x92, 0x9f, 0xa0], '€“–”’Ÿ\u00A0'],
  ])('are decoded according to %s', async (declaration, bytes, text) => {
    await expect(declared(declaration, ...bytes)).resolves.toEqual({ text: declaration + text, warnings: [] });
  });

  it('are decoded as UTF-8 if that is valid, whatever the page declares', async () => {
    await expect(declared('<meta charset=euc-kr>', 0xed, 0x95, 0x9c)).resolves.toEqual({
      text: '<meta charset=euc-kr>한',
      warnings: [],
    });
  });

  it.each([
    ['<p>'],
    ['<meta charset="klingon">'],
    ['<meta charset=euc-kr>'],
    ['<meta charset=utf-16le>'],
    ['<meta charset=utf-8><p>M\uFFFDller'],
    ['<!-- charset=latin1 -->'],
  ])('are decoded as UTF-8 with a warning after %j, which declares no usable encoding', async (declaration) => {
    const { text, warnings } = await declared(declaration, 0xff);
    expect(text).toBe(`${declaration}\uFFFD`);
    expect(warnings).toMatchObject([{ kind: 'encoding_fallback' }]);
  });

  it('have lines that end in LF', async () => {
    await expect(declared('<meta charset=latin1>', 0xe9, 0x0d, 0x0a, 0xe8, 0x0d)).resolves.toHaveProperty(
      'text',
      '<meta charset=latin1>é\nè\n',
    );
  });
});
