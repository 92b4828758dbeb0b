import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anchorOf, formatAnchor } from '../../src/domain/anchor.ts';
import { formatUri, parseUri, type ParsedUri, type UriFragment } from '../../src/domain/uri.ts';

const path = fc.string({ unit: 'grapheme', minLength: 1 });
const positive = fc.integer({ min: 1, max: 999_999_999 });
const ms = fc.integer({ min: 0, max: 99 * 3_600_000 });
const ordered = (value: fc.Arbitrary<number>): fc.Arbitrary<readonly [number, number]> =>
  fc.tuple(value, value).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
const fragment: fc.Arbitrary<UriFragment | null> = fc.oneof(
  fc.constant(null),
  ordered(positive).map(([start, end]) => ({ kind: 'line' as const, start, end })),
  positive.map((page) => ({ kind: 'page' as const, page })),
  fc
    .tuple(fc.nat(9999), fc.nat(9999), fc.nat(9999), fc.nat(9999))
    .map(([x, y, w, h]) => ({ kind: 'region' as const, x, y, w, h })),
  fc.constant({ kind: 'caption' as const }),
  fc
    .tuple(ordered(ms), fc.option(fc.string({ unit: 'grapheme' })))
    .map(([[startMs, endMs], speaker]) => ({ kind: 'time' as const, startMs, endMs, speaker })),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat(), fc.nat(9))
    .filter(([sheet]) => sheet.trim() !== '')
    .map(([sheet, from, more]) => {
      const row = { unit: 'row', from: String(from), to: String(from + more) };
      return { kind: 'anchor' as const, anchor: `${anchorOf({ sheet })}&${formatAnchor([row])}` };
    }),
);

/** Adds the prefix that {@link formatUri} puts before a path of `default` that looks like one of another source. */
const afterPrefix = (uri: ParsedUri): ParsedUri => ({
  ...uri,
  sourceId: uri.sourceId === 'default' ? null : uri.sourceId,
});

describe('citation URIs', () => {
  it('parse back to what was formatted', () => {
    fc.assert(
      fc.property(path, fragment, (p, f) => {
        const bare = { sourceId: null, path: p, fragment: f };
        expect(afterPrefix(parseUri(formatUri(bare)))).toEqual(bare);
        const work = { sourceId: 'work', path: p, fragment: f };
        expect(parseUri(formatUri(work), (id) => id === 'work')).toEqual(work);
      }),
    );
  });

  it.each([
    ['default', 'notes/a.md', 'notes/a.md#L1'],
    ['work', 'notes/a.md', 'work:notes/a.md#L1'],
    ['default', 'notes/10:30.md', 'notes/10:30.md#L1'],
    ['default', 'Re: hello.md', 'default:Re: hello.md#L1'],
    ['work', 'Re: hello.md', 'work:Re: hello.md#L1'],
  ])('of the source %s write %s as %s', (sourceId, path_, uri) => {
    const written = { sourceId, path: path_, fragment: { kind: 'line', start: 1, end: 1 } } as const;
    expect(formatUri(written)).toBe(uri);
  });

  it('have a source prefix only where the source is known', () => {
    const isSource = (id: string): boolean => id === 'work';
    expect(parseUri('work:a.md', isSource)).toEqual({ sourceId: 'work', path: 'a.md', fragment: null });
    expect(parseUri('home:a.md', isSource)).toEqual({ sourceId: null, path: 'home:a.md', fragment: null });
    expect(parseUri('work:', isSource)).toEqual({ sourceId: null, path: 'work:', fragment: null });
  });

  it.each([
    ['a.md', { kind: 'line', start: 7, end: 7 }, 'a.md#L7'],
    ['a.md', { kind: 'line', start: 12, end: 34 }, 'a.md#L12-L34'],
    ['50% #1.pdf', { kind: 'page', page: 3 }, '50%25 %231.pdf#p=3'],
    ['x.png', { kind: 'region', x: 1, y: 2, w: 3, h: 4 }, 'x.png#xywh=1,2,3,4'],
    [
      't.mp3',
      { kind: 'time', startMs: 3_723_004, endMs: 3_724_000, speaker: 'A&B' },
      't.mp3#t=01:02:03.004,01:02:04.000&speaker=A%26B',
    ],
    ['book.xlsx', { kind: 'anchor', anchor: 'sheet=Q3&row=17-20' }, 'book.xlsx#sheet=Q3&row=17-20'],
  ] as const)('format %s as %j', (p, f, uri) => {
    expect(formatUri({ sourceId: null, path: p, fragment: f })).toBe(uri);
  });

  it.each([
    'a.md#L0',
    'a.md#L5-L4',
    'a.md#l5',
    'a.md#p=0',
    'a.md#',
    '#L1',
    'a.md#t=1,2',
    'a.md#L1-3',
    'a.md#row=',
    'a.md#row=7-3',
    'a.md#Row=7',
    'a.md#xywh=1',
  ])('are rejected when malformed: %s', (uri) => {
    expect(() => parseUri(uri)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('the hash in a citation URI', () => {
  it.each([
    ['notes/a.md#L3~5f0c1d2e', { kind: 'line', start: 3, end: 3 }],
    ['notes/a.md#L3-L9~5f0c1d2e', { kind: 'line', start: 3, end: 9 }],
    ['b.pdf#p=4~5f0c1d2e', { kind: 'page', page: 4 }],
    ['c.png#caption~5f0c1d2e', { kind: 'caption' }],
    ['d.csv#row=2-4~5f0c1d2e', { kind: 'anchor', anchor: 'row=2-4' }],
  ] as const)('is read from %s, and written again', (uri, place) => {
    const parsed = parseUri(uri);
    expect(parsed).toMatchObject({ fragment: place, pin: '5f0c1d2e' });
    expect(formatUri(parsed)).toBe(uri);
  });

  it.each(['5f0c1d', '5F0C1D2E', '5f0c1d2e3a4b5c6d'])('may have six to sixteen digits in either case: %s', (digits) => {
    expect(parseUri(`a.md#L3~${digits}`).pin).toBe(digits.toLowerCase());
  });

  it.each(['a.md#L3~5f0c', 'a.md#L3~notahash', 'a.md#L3~'])('does not excuse a mistyped fragment: %s', (uri) => {
    expect(() => parseUri(uri)).toThrow(/not a fragment/u);
  });

  it('is not read from a path, nor from a name that ends like one', () => {
    expect(parseUri('notes/a~5f0c1d2e')).toEqual({ sourceId: null, path: 'notes/a~5f0c1d2e', fragment: null });
    const anchor = anchorOf({ section: 'backup~5f0c1d2e' });
    const place = { sourceId: null, path: 'a.docx', fragment: { kind: 'anchor', anchor } } as const;
    expect(parseUri(formatUri(place))).toEqual(place);
    expect(parseUri(formatUri({ ...place, pin: '00112233' }))).toEqual({ ...place, pin: '00112233' });
  });

  it('survives a shell and Markdown as it is', () => {
    expect(
      formatUri({ sourceId: 'work', path: 'a.md', fragment: { kind: 'line', start: 3, end: 3 }, pin: 'ab12cd34ef' }),
    ).toMatch(/^[\w.:#~/-]+$/u);
  });
});
