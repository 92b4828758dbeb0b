import { citedBlocks, extractDocument } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { createHtmlExtractor } from '../src/html-extractor.ts';
import { GUIDE } from './guide.ts';

const read = (html: string) => extractDocument(createHtmlExtractor(), 'guide.html', html);

describe('a web page', () => {
  it('is read without scripts, styles and hidden text, its article first', async () => {
    const { text, title, lang } = await read(GUIDE);
    expect(text).not.toMatch(/scriptword|styleword|hiddenword|base64/);
    expect(text).toMatch(/^Harbour guide\n\nThe harbour opens at six/);
    expect(text).toMatch(/navword\n\n© 2026\n$/);
    expect(text).toContain('A red lighthouse');
    expect([title, lang]).toEqual(['Harbour guide – Port', 'en']);
  });

  it('has separate blocks for headings, tables, lists, quotes and code, each cited by its section', async () => {
    const shown = citedBlocks(await read(GUIDE));
    expect(shown.map(([kind, place, text]) => [kind, place, text.slice(0, 40)])).toEqual([
      ['heading', 'section=harbour-guide', 'Harbour guide'],
      ['paragraph', 'section=harbour-guide', 'The harbour opens at six, and closes whe'],
      ['heading', 'section=fees-dues', 'Fees & dues'],
      ['table', 'section=fees-dues', '| Ship | Fee |\n| --- | --- |\n| Tug | 12 '],
      ['code', 'section=fees-dues', 'const fee = 12;\npay(fee);'],
      ['list', 'section=fees-dues', '- cash\n- card\n  - debit'],
      ['quote', 'section=fees-dues', 'No tugs after dark.'],
      ['heading', 'section=opening-hours', 'Opening hours'],
      ['paragraph', 'section=opening-hours', 'The harbour opens at six, and closes whe'],
      ['paragraph', 'section=opening-hours', 'A red lighthouse'],
      ['paragraph', 'section=top', 'navword'],
      ['paragraph', 'section=top', '© 2026'],
    ]);
  });

  it('has the sections of its article below the heading of the page', async () => {
    const article = `<h2>Fees</h2><p>${'Tugs pay twelve, and ferries pay less. '.repeat(20)}</p>`;
    const page = `<div id="header"><h1>Harbour</h1></div><div id="content"><p>By Ada</p><div class="article">${article}</div></div>`;
    const { blocks } = await read(`<title>Harbour</title>${page}`);
    expect(blocks.at(-1)?.headingPath).toEqual(['Harbour', 'Fees']);
  });

  it('without an article yields all of its text', async () => {
    expect((await read('<div>one<div>two</div></div><table><td>three</table>')).text).toBe('one\n\ntwo\n\nthree\n');
  });

  it.each([
    ['elements in each other', `${'<div>'.repeat(60_000)}deep${'</div>'.repeat(9)}`],
    ['tables in each other', `${'<table><tr><td>'.repeat(20_000)}deep`],
    ['lists in each other', `${'<ul><li>'.repeat(50_000)}deep`],
    ['unclosed formatting', Array.from({ length: 5000 }, (_, size) => `<p><font size=${size}>deep`).join('')],
    ['open tags', `deep${'<a '.repeat(100_000)}`],
    ['open quotes', `deep${'<a "'.repeat(100_000)}`],
  ])('keeps its text under any number of %s', async (_, html) => {
    expect((await read(html)).text).toContain('deep');
  });
});
