import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/analysis/index-tokens.ts';

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
