import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnalysedQuery, analyseQuery, parseQuery } from '../../src/analysis/analyse-query.ts';

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
    ['ﬁ Straße İ', 'fi strasse i'],
  ])('splits %s into the terms %s', (text, tokens) => {
    expect(tokensOf(text).join(' ')).toBe(tokens);
  });

  it('numbers the runs of Han, Hangul and kana that its terms belong to', () => {
    expect(analyseQuery('서울의 봄').terms).toEqual([
      { kind: 'cjk', token: '서울', run: 0 },
      { kind: 'cjk', token: '울의', run: 0 },
      { kind: 'cjk_run', tokens: ['서울', '울의'], run: 0 },
      { kind: 'cjk', token: '봄', run: 1 },
    ]);
  });

  it('separates phrases and exclusions from the terms to rank by', () => {
    const { terms, phrases, excluded, embeddingText } = analyseQuery('why "Fetch 한국은 서울 a_b" -draft -"no way"');
    expect(terms).toEqual([{ kind: 'word', token: 'why' }]);
    expect(phrases).toEqual([
      {
        text: 'Fetch 한국은 서울 a_b',
        exact: { text: 'Fetch 한국은 서울 a_b', isCaseSensitive: true, isWhole: true },
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

  it('counts the words of a query that contain a term, each word once', () => {
    const times = (text: string): Readonly<Record<string, number>> =>
      Object.fromEntries(
        analyseQuery(text).terms.map((term) => [
          term.kind === 'cjk_run' ? term.tokens.join('+') : term.token,
          term.times ?? 1,
        ]),
      );
    expect(times('Which rule, which rules? WHICH')).toEqual({ which: 3, rule: 1, rules: 1 });
    expect(times('parseUrl url a_a')).toEqual({ parseurl: 1, parse: 1, url: 2, a_a: 1, a: 1 });
    expect(times('한국은 한국의 하하하')).toMatchObject({ 한국: 2, 국은: 1, 하하: 1 });
  });

  describe('with four other words', () => {
    const readings = (text: string): readonly string[] => {
      const shown: string[] = [];
      for (let reading: AnalysedQuery | undefined = analyseQuery(text); reading; reading = reading.weaker) {
        const { phrases, excluded } = reading;
        shown.push([...phrases.map((each) => `+${each.text}`), ...excluded.map((each) => `-${each.text}`)].join(' '));
      }
      return shown;
    };

    it.each([
      ['why does the pump "stall at night"', ['+stall at night', '']],
      ['how do we word it -draft -"old notes"', ['-draft -old notes', '']],
      ['one two "three four" five six -seven', ['+three four -seven', '-seven', '']],
      ['one two +"three four" five six +seven "eight nine"', ['+three four +seven +eight nine', '+three four +seven']],
      ['작년 매출은 어느 지역에서 "가장 많이" 늘었나', ['+가장 많이', '']],
      ['東京都の水道料金はいくらですか "水道 料金"', ['+水道 料金', '']],
    ])('has weaker readings without phrases and exclusions: %s', (text, expected) => {
      expect(readings(text)).toEqual(expected);
    });

    it.each(['"stall at night"', 'pump stalls "at night" often', 'pump valve -draft', 'why does it stop +"at night"'])(
      'has no weaker reading with fewer words or after a plus: %s',
      (text) => {
        expect(analyseQuery(text)).not.toHaveProperty('weaker');
        expect(analyseQuery(text)).not.toHaveProperty('relaxed');
      },
    );

    it('treats a single quoted word as an ordinary term', () => {
      const { terms, phrases, relaxed, weaker } = analyseQuery('languages that users find "extensible" or not');
      expect({ phrases, weaker }).toEqual({ phrases: [], weaker: undefined });
      expect(terms).toContainEqual({ kind: 'word', token: 'extensible' });
      expect(relaxed).toMatchObject({ phrases: [{ text: 'extensible' }], excluded: [] });
    });

    it('turns the words of a phrase into terms in the reading without the phrase', () => {
      const { weaker } = analyseQuery('why does the pump "stall at night"');
      expect(weaker?.terms.map((term) => term.kind === 'word' && term.token)).toEqual(
        'why does the pump stall at night'.split(' '),
      );
      expect(weaker?.relaxed).toMatchObject({ phrases: [{ text: 'stall at night' }], excluded: [] });
    });
  });

  it('has no terms, phrases or exclusions for a text without letters and digits', () => {
    for (const text of ['', ' ', '"…" -"*"', '😀 __ -- - "', '\u0301'])
      expect(analyseQuery(text)).toMatchObject({ text, terms: [], phrases: [], excluded: [] });
  });

  it('has no terms and no embedding text for a query of exclusions only', () => {
    expect(analyseQuery('-draft -"old notes"')).toMatchObject({ terms: [], phrases: [], embeddingText: '' });
  });

  it('accepts every text, and has the same terms for its composed and decomposed forms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { terms } = analyseQuery(text);
        expect(new Set(tokensOf(text)).size).toBe(terms.length);
        expect(analyseQuery(text.normalize('NFD')).terms).toEqual(analyseQuery(text.normalize('NFC')).terms);
      }),
    );
  });
});

describe('parseQuery', () => {
  it('extracts phrases, requirements and exclusions', () => {
    expect(parseQuery('a "b c" -d -"e f" +h +"i j" g')).toEqual({
      loose: ['a ', ' ', ' ', ' ', ' ', ' g'],
      phrases: ['b c'],
      required: ['h', 'i j'],
      excluded: ['d', 'e f'],
      embeddingText: 'a b c h i j g',
    });
  });

  it.each([
    ['-word', ['word']],
    ['x -한국', ['한국']],
    ['\t-9', ['9']],
    ['-a-b.c', ['a-b.c']],
    ['-"a b"', ['a b']],
    ['--word', []],
    ['a-b', []],
    ['- word', []],
    ['-*', []],
    ['-_x', ['_x']],
    ['-"open', []],
    ['(-word)', []],
    ['–word', []],
    ['-', []],
  ])('decides whether the minus of %s excludes', (text, excluded) => {
    expect(parseQuery(text).excluded).toEqual(excluded);
  });

  it.each([
    ['+word', ['word']],
    ['x +한국', ['한국']],
    ['+"a b"', ['a b']],
    ['+82 10', []],
    ['C++ a+b', []],
    ['++word', []],
    ['+ word', []],
    ['+"open', []],
  ])('decides whether the plus of %s requires', (text, required) => {
    expect(parseQuery(text).required).toEqual(required);
  });

  it.each([
    ['"a b"', ['a b']],
    ['("a b")', ['a b']],
    ['x-"a"', ['a']],
    ['"a""b"', ['a', 'b']],
    ['"a"b"', ['a']],
    ['""', ['']],
    ['"a', []],
    ['a"', []],
    ['5" and 3"', []],
    ['a"b c"', []],
    ['“a b”', []],
  ])('decides whether the quotes of %s mark phrases', (text, phrases) => {
    expect(parseQuery(text).phrases).toEqual(phrases);
  });

  it('treats an unbalanced quote as data', () => {
    expect(parseQuery('say "open  -"')).toMatchObject({ loose: ['say '], phrases: ['open  -'] });
    expect(parseQuery('say "open  end')).toMatchObject({ loose: ['say "open  end'], embeddingText: 'say "open end' });
  });
});
