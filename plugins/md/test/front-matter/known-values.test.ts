import { describe, expect, it } from 'vitest';
import { parseTimestamp } from '../../src/front-matter/known-values.ts';

describe('parseTimestamp', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z'],
    ['2024-01-02t03:04:05.678901z', '2024-01-02T03:04:05.678Z'],
    ['2024-01-02 03:04:05+09:00', '2024-01-01T18:04:05.000Z'],
    ['2024-01-02T03:04:05', '2024-01-02T03:04:05.000Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
  ])('reads %s', (source, expected) => {
    expect(parseTimestamp(source)?.toISOString()).toBe(expected);
  });

  it.each([
    '',
    'yesterday',
    '2024',
    '2024-1-2',
    '2023-02-29',
    '2024-13-01',
    '2024-01-02T24:00:00Z',
    '2024-01-02T03:04Z',
    '03:04:05',
  ])('refuses %j', (source) => {
    expect(parseTimestamp(source)).toBeUndefined();
  });
});
