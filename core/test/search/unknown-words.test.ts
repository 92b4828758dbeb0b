import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { unknownWords } from '../../src/search/unknown-words.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const KNOWN = new Set(['boiler', 'pressure', 'max', 'bar', 'zoe', '휴가', '계획', '図書', '書館', '返却']);

/** The words of a query that a corpus with the tokens above does not contain. */
async function unknownIn(query: string): Promise<readonly string[]> {
  const termStats = (tokens: readonly string[]): Promise<{ chunks: number; df: readonly number[] }> =>
    Promise.resolve({ chunks: 300, df: tokens.map((token) => (KNOWN.has(token) ? 4 : 0)) });
  return (await unknownWords(analyseQuery(query), { termStats })).unknown;
}

describe('unknownWords', () => {
  it.each([
    ['boiler pressure', []],
    ['What is the pressure of the Xylophone?', ['xylophone']],
    ['zoë', []],
    ['Wärmpumpe', ['wärmpumpe']],
    ['max_bar maxBar boiler.max', []],
    ['max_volts', ['max_volts']],
    ['휴가는 언제', []],
    ['치과 예약', ['치과', '예약']],
    ['냉장고 어디에', ['냉장고']],
    ['図書館の返却', []],
    ['장기계획', ['장기계획']],
    ['휴가계획서', []],
    ['確定申告', ['確定申告']],
    ['the of and', []],
    ['-helicopter boiler', []],
  ])('of "%s" are %j', async (query, unknown) => {
    expect(await unknownIn(query)).toEqual(unknown);
  });
});

describe('a word that only compounds have', () => {
  const open = openForTests();

  it.each([
    ['Rechnungen', ['haus.md', 'steuer.md'], undefined],
    ['Rechnung des Handwerkers', ['steuer.md'], undefined],
    ['Vorauszahlungen', ['haus.md'], undefined],
    ['formation', [], ['formation']],
  ])('finds %j in %j', async (query, files, unknown) => {
    const kb = await open();
    await kb.add('steuer.md', 'Die Handwerkerrechnung für die Dachrinne.\n', { lang: 'de' });
    await kb.add('haus.md', 'Nebenkostenabrechnung: die Vorauszahlung steigt, eine Abrechnung fehlt.\n', {
      lang: 'de',
    });
    await kb.add('notes.md', 'Information about transformations.\n', { lang: 'en' });
    const { hits, unknown_terms } = await kb.search.search({ text: query, mode: 'lexical' });
    expect([hits.map(({ doc_path: file }) => file), unknown_terms]).toEqual([files, unknown]);
  });
});
