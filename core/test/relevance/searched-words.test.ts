import { describe, expect, it } from 'vitest';
import { tokensOf } from '../../src/relevance/searched-words.ts';

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

  it('leaves a word of more than 64 letters as it is', () => {
    expect(tokensOf(`${'ba'.repeat(30)}cats`)).toEqual([`${'ba'.repeat(30)}cat`]);
    expect(tokensOf(`${'ba'.repeat(31)}cats`)).toEqual([`${'ba'.repeat(31)}cats`]);
  });
});
