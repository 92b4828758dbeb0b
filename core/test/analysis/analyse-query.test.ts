import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';

const tokensOf = (text: string): readonly string[] =>
  analyseQuery(text).terms.map((term) => (term.kind === 'cjk_run' ? term.tokens.join('+') : term.token));

describe('analyseQuery', () => {
  it.each([
    ['Which RULES, which?', 'which rules'],
    ['parseHTTPUrl', 'parsehttpurl parse http url'],
    ['snake_case __init__', 'snake_case snake case __init__ init'],
    ['os.path.join 1.2', 'os.path.join os path join 1.2 1 2'],
    ['end.  Next', 'end next'],
    ['Café CAFÉ cafe\u0301', 'cafe'],
    ['한국은 한국', '한국 국은 한국+국은'],
    ['한 API를', '한 api 를'],
    ['ﬁ Straße İ', 'ﬁ straße i'],
  ])('reads %s as %s', (text, tokens) => {
    expect(tokensOf(text).join(' ')).toBe(tokens);
  });

  it('numbers runs, so that a run can be counted by the part of its pairs found', () => {
    expect(analyseQuery('서울의 봄').terms).toEqual([
      { kind: 'cjk', token: '서울', run: 0 },
      { kind: 'cjk', token: '울의', run: 0 },
      { kind: 'cjk_run', tokens: ['서울', '울의'], run: 0 },
      { kind: 'cjk', token: '봄', run: 1 },
    ]);
  });

  it('keeps phrases and exclusions apart from the words to rank by', () => {
    const { terms, phrases, excluded, embeddingText } = analyseQuery('why "Fetch 한국은 서울 a_b" -draft -"no way"');
    expect(terms).toEqual([{ kind: 'word', token: 'why' }]);
    expect(phrases).toEqual([
      {
        text: 'Fetch 한국은 서울 a_b',
        parts: [
          { column: 'words', tokens: ['fetch'] },
          { column: 'cjk', tokens: ['한국', '국은', '은', '서울'] },
          { column: 'words', tokens: ['a_b'] },
        ],
      },
    ]);
    expect(excluded.map(({ text }) => text)).toEqual(['draft', 'no way']);
    expect(embeddingText).toBe('why Fetch 한국은 서울 a_b');
  });

  it('has no terms, phrases or exclusions where there is no letter and no digit', () => {
    for (const text of ['', ' ', '"…" -"*"', '😀 __ -- - "', '\u0301'])
      expect(analyseQuery(text)).toMatchObject({ text, terms: [], phrases: [], excluded: [] });
  });

  it('can tell a query of exclusions only', () => {
    expect(analyseQuery('-draft -"old notes"')).toMatchObject({ terms: [], phrases: [], embeddingText: '' });
  });

  it('reads every text, and its composed form alike', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { terms } = analyseQuery(text);
        expect(new Set(tokensOf(text)).size).toBe(terms.length);
        expect(analyseQuery(text.normalize('NFD')).terms).toEqual(analyseQuery(text.normalize('NFC')).terms);
      }),
    );
  });
});
