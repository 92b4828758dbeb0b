import { describe, expect, it } from 'vitest';
import { documentDate } from '../../src/domain/document-date.ts';

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

  it('takes midnight in UTC, which is how a day without a time is kept, for that day here', () =>
    expect(documentDate({}, new Date('2024-05-17T00:00:00Z'))).toEqual(new Date(2024, 4, 17)));
});
