import { describe, expect, it } from 'vitest';
import { analyseChunk } from '../../src/analysis/index-text.ts';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { lexicalRelevance, queryWeights, tokensOf } from '../../src/relevance/query-weights.ts';

/** A corpus of `chunks` chunks in which a token occurs as often as `df` says, once by default. */
async function relevance(
  query: string,
  text: string,
  df: Readonly<Record<string, number>> = {},
  chunks = 100,
): Promise<number> {
  const units = await queryWeights(analyseQuery(query), async (tokens) => ({
    chunks,
    df: tokens.map((token) => df[token] ?? 1),
  }));
  const material = {
    text,
    title: 'Untitled',
    headingPath: [],
    workspacePath: 'a.md',
    symbol: null,
    extra: [],
    prefix: null,
  };
  return lexicalRelevance(units, analyseChunk(material));
}

describe('tokensOf', () => {
  it.each([
    ['Boundary layers, boundary-LAYER', ['boundari', 'layer', 'boundari', 'layer']],
    [
      'snake_case a.b Überraschungen internationalisations',
      ['snake', 'case', 'a', 'b', 'uberraschungen', 'internationalis'],
    ],
    ['한글 layers', ['한글', 'layer']],
  ])('returns the same tokens for %j each time: %j', (text, tokens) => {
    expect([tokensOf(text), tokensOf(text)]).toEqual([tokens, tokens]);
  });
});

describe('lexicalRelevance', () => {
  it.each<[string, string, number]>([
    ['green tea', 'Green tea is steeped.', 1],
    ['green tea', 'Tea.', 0.5],
    ['green tea', 'Coffee.', 0],
    ['tea tea TEA', 'tea', 1],
    ['pruned roses', 'Pruning a rose.', 1],
    ['"green tea"', 'tea that is green', 0],
    ['"green tea" cups', 'a cup of green tea', 1],
    ['parseHTTPUrl', 'fn parseHTTPUrl() {}', 1],
    ['café', 'the cafe', 1],
    ['!?', 'anything', 0],
  ])('gives %j in %j the relevance %d', async (query, text, expected) => {
    expect(await relevance(query, text)).toBeCloseTo(expected, 10);
  });

  it('weights rare words higher than common ones', async () => {
    const weight = (df: number): number => Math.log(1 + (100 - df + 0.5) / (df + 0.5));
    const expected = weight(1) / (weight(1) + weight(90));
    expect(await relevance('the zebra', 'a zebra', { the: 90, zebra: 1 })).toBeCloseTo(expected, 10);
  });

  it('counts a run of Hangul by the share of its bigrams that is found', async () => {
    expect(await relevance('한국', '한국은 크다')).toBe(1);
    expect(await relevance('서울의', '서울은 크다')).toBe(0.5);
    expect(await relevance('국', '한국은 크다')).toBe(1);
    expect(await relevance('부산', '서울은 크다')).toBe(0);
  });

  it('finds words in title, headings and file name too', async () => {
    const units = await queryWeights(analyseQuery('brewing kettle porcelain'), async (tokens) => ({
      chunks: 9,
      df: tokens.map(() => 1),
    }));
    const index = analyseChunk({
      text: '-',
      title: 'Kettles',
      headingPath: ['Porcelain'],
      workspacePath: 'notes/brewing.md',
      symbol: null,
      extra: [],
      prefix: null,
    });
    expect(lexicalRelevance(units, index)).toBe(1);
  });

  it('is equal in a small and in a large corpus when everything is found', async () => {
    for (const chunks of [1, 10, 1_000_000]) expect(await relevance('green tea', 'green tea', {}, chunks)).toBe(1);
  });
});

describe('tokensOf', () => {
  it.each([
    ['Pruned Pruning prunes', ['prune', 'prune', 'prune']],
    ['generalizations happy ties', ['gener', 'happi', 'ti']],
    ['max_connections kebab.toml', ['max', 'connect', 'kebab', 'toml']],
    ['e5 is naïve', ['e5', 'is', 'naiv']],
    ['스템', ['스템']],
  ])('folds and stems %j as the full-text index does', (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  it('leaves a word of more than 64 letters unchanged', () => {
    expect(tokensOf(`${'ba'.repeat(30)}cats`)).toEqual([`${'ba'.repeat(30)}cat`]);
    expect(tokensOf(`${'ba'.repeat(31)}cats`)).toEqual([`${'ba'.repeat(31)}cats`]);
  });
});
