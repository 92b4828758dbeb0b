import { describe, expect, it } from 'vitest';
import { dayOf, readAgo, readPeriod, documentDate } from '../../src/domain/period.ts';

const local = (...parts: [number, number, number?, number?, number?]): Date => {
  const [year, month, day = 1, hour = 0, minute = 0] = parts;
  return new Date(year, month - 1, day, hour, minute);
};

describe('readPeriod', () => {
  it.each([
    ['2026', local(2026, 1), local(2027, 1)],
    ['2026-12', local(2026, 12), local(2027, 1)],
    ['2026-02-28', local(2026, 2, 28), local(2026, 3, 1)],
    ['2024-02-29', local(2024, 2, 29), local(2024, 3, 1)],
    ['2026-01-02 10:30', local(2026, 1, 2, 10, 30), local(2026, 1, 2, 10, 31)],
    ['2026-01-02T10:30:00Z', new Date('2026-01-02T10:30:00Z'), new Date('2026-01-02T10:30:01Z')],
    ['2026-01-02T10:30:00.5+09:00', new Date('2026-01-02T01:30:00.500Z'), new Date('2026-01-02T01:30:00.501Z')],
    ['2026-01-02T10:30:00 +09:00', new Date('2026-01-02T01:30:00Z'), new Date('2026-01-02T01:30:01Z')],
  ])('parses %s as a period, local where it has no offset', (text, start, end) =>
    expect(readPeriod(text)).toEqual({ start, end }),
  );

  it.each(['', '26-01-02', '2026-13', '2026-02-30', '2026-1-2', '2026-01-02T24:00', '2026-01-02T10:61', '2w', 'soon'])(
    'rejects %j as a time',
    (text) => expect(readPeriod(text)).toBeUndefined(),
  );
});

describe('readAgo', () => {
  it.each([
    ['3d', { count: 3, unit: 'd' }],
    ['2 weeks', { count: 2, unit: 'w' }],
    ['6m', { count: 6, unit: 'm' }],
    ['1Y', { count: 1, unit: 'y' }],
    ['today', { count: 0, unit: 'd' }],
    ['yesterday', { count: 1, unit: 'd' }],
    ['2h', undefined],
    ['-3d', undefined],
    ['w', undefined],
  ])('parses %j', (text, ago) => expect(readAgo(text)).toEqual(ago));
});

describe('dayOf', () => {
  it.each([
    [{ count: 0, unit: 'd' }, local(2026, 3, 31), local(2026, 4, 1)],
    [{ count: 3, unit: 'd' }, local(2026, 3, 28), local(2026, 3, 29)],
    [{ count: 2, unit: 'w' }, local(2026, 3, 17), local(2026, 3, 18)],
    [{ count: 1, unit: 'm' }, local(2026, 2, 28), local(2026, 3, 1)],
    [{ count: 4, unit: 'm' }, local(2025, 11, 30), local(2025, 12, 1)],
    [{ count: 1, unit: 'y' }, local(2025, 3, 31), local(2025, 4, 1)],
  ] as const)('counts %j back from the last of March, to a day that exists', (ago, start, end) =>
    expect(dayOf(ago, local(2026, 3, 31, 23, 59))).toEqual({ start, end }),
  );
});

const changed = new Date('2026-05-06T07:08:09.010Z');

describe('documentDate', () => {
  it.each([
    [{}, changed],
    [{ date: '2024-05-17' }, new Date(2024, 4, 17)],
    [{ date: '2024-05-17T10:00:00Z' }, new Date('2024-05-17T10:00:00Z')],
    [{ date: '2024-05-17', updated: '2025-01-02' }, new Date(2025, 0, 2)],
    [{ lastmod: '2025-01-02', date: '2024-05-17' }, new Date(2025, 0, 2)],
    [{ created: '2020-01-01' }, changed],
    [{ date: 'some day', updated: 7 }, changed],
  ])('of front matter %j', (user, date) => expect(documentDate(user, changed)).toEqual(date));

  it('treats midnight in UTC, which is how a date without a time is stored, as that day in local time', () =>
    expect(documentDate({}, new Date('2024-05-17T00:00:00Z'))).toEqual(new Date(2024, 4, 17)));
});
