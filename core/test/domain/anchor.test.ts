import { describe, expect, it } from 'vitest';
import { anchorLabel, anchoredRun, anchorOf, anchorsMeet, joinAnchors } from '../../src/domain/anchor.ts';

describe('anchors', () => {
  it.each([
    [{ cell: 12 }, 'cell=12', 'cell 12'],
    [{ sheet: 'Q3 & Q4', row: 17 }, 'sheet=Q3 %26 Q4&row=17', 'sheet "Q3 & Q4", row 17'],
    [{ sheet: '2023-24' }, 'sheet=2023%2D24', 'sheet "2023-24"'],
    [{ section: 'a..b' }, 'section=a%2E%2Eb', 'section "a..b"'],
    [{ section: '50% #1' }, 'section=50%25 %231', 'section "50% #1"'],
  ])('write %j as a fragment, and in readable form', (place, anchor, label) => {
    expect(anchorOf(place)).toBe(anchor);
    expect(anchorLabel(anchor)).toBe(label);
  });

  it.each([[{}], [{ Cell: 1 }], [{ p: 1 }], [{ t: 1 }], [{ a: 1, b: 1, c: 1, d: 1, e: 1 }]])(
    'refuse the place %j',
    (place) => {
      expect(() => anchorOf(place)).toThrow(TypeError);
    },
  );

  it.each([
    ['row=12', 'row=30', 'row=12-30'],
    ['sheet=Q3&row=12', 'sheet=Q3&row=30', 'sheet=Q3&row=12-30'],
    ['sheet=Q3&row=90', 'sheet=Q4&row=2', 'sheet=Q3..Q4'],
    ['section=a', 'section=b', 'section=a..b'],
    ['row=1-4', 'row=5', 'row=1-5'],
    ['cell=1', 'section=b', null],
  ])('join %s and %s to %s', (first, last, joined) => {
    expect(joinAnchors(first, last)).toBe(joined);
  });

  it.each([
    ['row=12-30', 'row=17', true],
    ['row=12-30', 'row=31', false],
    ['sheet=Q3', 'sheet=Q3&row=4', true],
    ['sheet=Q4', 'sheet=Q3&row=4', false],
    ['row=4', 'cell=4', false],
    ['section=a..b', 'section=b', true],
  ])('%s and %s overlap: %s', (one, other, meet) => {
    expect(anchorsMeet(one, other)).toBe(meet);
  });

  it('match the places of a document from the first to the last that they contain', () => {
    const rows = [null, 'sheet=A&row=1', 'sheet=A&row=2', 'sheet=B&row=1', 'sheet=C&row=1'];
    expect(anchoredRun(rows, 'sheet=A')).toEqual([1, 2]);
    expect(anchoredRun(rows, 'sheet=A&row=2')).toEqual([2, 2]);
    expect(anchoredRun(rows, 'sheet=A..B')).toEqual([1, 3]);
    expect(anchoredRun(rows, 'sheet=D')).toBeNull();
  });
});
