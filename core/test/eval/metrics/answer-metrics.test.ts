import { describe, expect, it } from 'vitest';
import { containsAll, containsNone, isCovered } from '../../../src/eval/metrics/answer-metrics.ts';
import type { ResultCitation } from '../../../src/eval/query-result.ts';

describe('strings in an answer', () => {
  const text = 'Green tea is steeped at 80 degrees [1]. 녹차는 80도에서.';

  it.each([
    [[], true],
    [['80 degrees'], true],
    [['80 degrees', '녹차'], true],
    [['80 Degrees'], false],
    [['80  degrees'], false],
    [['80 degrees', 'boiling'], false],
  ])('contains all of %j: %s', (strings, expected) => {
    expect(containsAll(text, strings)).toBe(expected);
  });

  it.each([
    [[], true],
    [['boiling'], true],
    [['GREEN'], true],
    [['boiling', '녹차'], false],
  ])('contains none of %j: %s', (strings, expected) => {
    expect(containsNone(text, strings)).toBe(expected);
  });
});

describe('citations of an answer', () => {
  const exact: ResultCitation = {
    uri: 'a.md#L1',
    content_hash: '0'.repeat(16),
    source_id: null,
    status: 'exact',
    verified: null,
  };

  it.each([
    ['are exact', [exact], true],
    ['are exact and quoted verbatim', [{ ...exact, verified: true }, exact], true],
    ['have moved', [exact, { ...exact, status: 'moved' as const }], false],
    ['are gone', [{ ...exact, status: 'gone' as const }], false],
    ['have a quotation that their passage lacks', [exact, { ...exact, verified: false }], false],
    ['are missing', [], false],
  ])('that %s', (_, citations, expected) => {
    expect(isCovered({ citations })).toBe(expected);
  });
});
