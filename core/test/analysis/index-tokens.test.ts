import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/analysis/index-tokens.ts';

describe('tokensOf', () => {
  it.each([
    ['Pruned Pruning prunes', ['prune', 'prune', 'prune']],
    ['generalizations happy ties', ['gener', 'happi', 'ti']],
    ['max_connections kebab.toml', ['max', 'connect', 'kebab', 'toml']],
    ['e5 is naïve', ['e5', 'is', 'naiv']],
    ['스템', ['스템']],
    ['한글 layers, boundary-LAYER', ['한글', 'layer', 'boundari', 'layer']],
    ['a.b Überraschungen', ['a', 'b', 'uberraschungen']],
  ])('folds and stems %j as the full-text index does, each time', (text, tokens) => {
    expect([tokensOf(text), tokensOf(text)]).toEqual([tokens, tokens]);
  });

  it('leaves a word of more than 64 letters unchanged', () => {
    expect(tokensOf(`${'ba'.repeat(30)}cats`)).toEqual([`${'ba'.repeat(30)}cat`]);
    expect(tokensOf(`${'ba'.repeat(31)}cats`)).toEqual([`${'ba'.repeat(31)}cats`]);
  });
});
