import type { IngestProgress } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { NOT_STARTED, advance, renderProgress, type ProgressState } from '../../src/progress/progress-state.ts';
import { textWidth } from '../../src/screen/text-width.ts';
import { event } from '../examples.ts';

const RUN: readonly IngestProgress[] = [
  event({ kind: 'scan_started', root: '/kb' }),
  event({ kind: 'scan_completed', total: 2 }),
  event({ kind: 'asset_started', idx: 1, total: 2, path: 'a.md', media: 'markdown' }),
  event({ kind: 'asset_started', idx: 2, total: 2, path: 'b.pdf', media: 'pdf' }),
  event({ kind: 'asset_finished', idx: 1, total: 2, result: 'new', chunks: 3 }),
  event({ kind: 'asset_stage', idx: 2, stage: 'ocr', model: null, page: 4 }),
  event({ kind: 'asset_finished', idx: 2, total: 2, result: 'error', chunks: 0 }),
];

describe('advance', () => {
  it('follows a run from the scan to the last file', () => {
    const states = RUN.map((_, index) =>
      RUN.slice(0, index + 1).reduce((state, next, at) => advance(state, next, at * 100), NOT_STARTED),
    );
    expect(
      states.map((state) => (state.kind === 'working' ? [state.done, state.activity, state.at] : state.root)),
    ).toEqual([
      '/kb',
      [0, '', 100],
      [0, 'a.md', 200],
      [0, 'b.pdf', 300],
      [1, 'b.pdf', 400],
      [1, 'b.pdf: ocr page 4', 500],
      [2, 'b.pdf: ocr page 4', 600],
    ]);
  });

  it('names the file that a model is busy with, and how many of its pictures are done', () => {
    const stages: readonly IngestProgress[] = [
      ...RUN.slice(0, 4),
      event({ kind: 'asset_stage', idx: 2, stage: 'ocr', model: 'tesseract', page: 4, done: 2, total: 12 }),
      event({ kind: 'asset_stage', idx: 1, stage: 'caption', model: 'x', done: 0, total: 1 }),
    ];
    const activities = stages.map((_, index) => {
      const state = stages.slice(0, index + 1).reduce((before, next) => advance(before, next, 0), NOT_STARTED);
      return state.kind === 'working' ? state.activity : '';
    });
    expect(activities.slice(-2)).toEqual(['b.pdf: ocr page 4 (3 of 12)', 'a.md: caption']);
  });

  it('counts what is read and what fails, from the beginning of the scan on', () => {
    const more = event({ kind: 'asset_finished', idx: 1, total: 2, result: 'unchanged', chunks: 3 });
    const state = [...RUN, more].reduce((before, next, at) => advance(before, next, at * 100), NOT_STARTED);
    expect(state).toMatchObject({ startedAt: 0, workingSince: 100, total: 2, read: 2, failed: 1 });
  });
});

type Working = Extract<ProgressState, { readonly kind: 'working' }>;

function working(done: number, total: number, seconds: number, more: Partial<Working> = {}): ProgressState {
  return {
    kind: 'working',
    done,
    total,
    toRead: total,
    read: done,
    failed: 0,
    activity: 'notes/a.md',
    inHand: new Map(),
    startedAt: 1000,
    workingSince: 1000,
    at: 1000 + seconds * 1000,
    ...more,
  };
}

/** A file in hand since so many seconds of a run of `seconds`. */
function slow(path: string, since: number, seconds: number, stage = ''): Pick<Working, 'inHand'> {
  const file = { path, since: 1000 + (seconds - since) * 1000, stage };
  return { inHand: new Map([[7, file]]) };
}

describe('renderProgress', () => {
  it.each<[string, ProgressState]>([
    ['scanning /kb', { kind: 'scanning', root: '/kb', startedAt: 0, at: 900 }],
    ['scanning /kb  12 s', { kind: 'scanning', root: '/kb', startedAt: 0, at: 12_400 }],
    ['██░░░░░░░░  25/100  50 files/s  1 s left  notes/a.md', working(25, 100, 0.5)],
    ['█████░░░░░  50/100  20 s  2.5 files/s  20 s left  notes/a.md', working(50, 100, 20)],
    ['░░░░░░░░░░   2/100  notes/a.md', working(2, 100, 0.5)],
    ['██████████ 100/100  10 s  10 files/s', working(100, 100, 10, { activity: '' })],
    ['██████████ 0/0  1 s', working(0, 0, 1, { activity: '' })],
    ['█████░░░░░  50/100  20 s  notes/a.md', working(50, 100, 20, { read: 0, toRead: 40 })],
    ['█████░░░░░  50/100  20 s  0.5 files/s  20 s left  notes/a.md', working(50, 100, 20, { read: 10, toRead: 20 })],
    ['█████░░░░░  50/100  20 s  2 failed  notes/a.md', working(50, 100, 20, { read: 2, toRead: 20, failed: 2 })],
    ['█████░░░░░  50/100  20 s  Geo.pdf 5 s', working(50, 100, 20, { read: 0, ...slow('Geo.pdf', 5, 20) })],
    [
      '█████░░░░░  50/100  2 min 5 s  0.4 files/s  linn.png: ocr 40 s',
      working(50, 100, 125, slow('linn.png', 40, 125, 'ocr')),
    ],
  ])('draws "%s"', (line, state) => {
    expect(renderProgress(state, line.includes('linn') ? 68 : 80)).toBe(line);
  });

  it('keeps the end of a long path, where the name of the file is', () => {
    const activity = 'very/long/path/to/some/folder/of/notes/today.md';
    const line = renderProgress(working(25, 100, 0.5, { activity }), 80);
    expect(line).toMatch(/ {2}….*notes\/today\.md$/);
    expect(textWidth(line)).toBe(80);
  });

  it.each([10, 20, 30, 40, 60, 79])('never takes more than %i columns', (columns) => {
    for (const state of [
      working(999, 12_345, 7, { activity: '한국어/문서/파일이름이-아주-긴.md' }),
      working(999, 12_345, 700, slow('한국어/문서/파일이름이-아주-긴.md', 30, 700, 'ocr page 4 (3 of 12)')),
      working(1, 2, 1),
      working(2, 2, 1, { failed: 2 }),
    ])
      expect(textWidth(renderProgress(state, columns))).toBeLessThanOrEqual(columns);
  });

  it('shows no control characters of a file name', () => {
    expect(renderProgress(working(1, 2, 1, { activity: 'a\u001b[2Jb.md' }), 80)).toContain('a␛[2Jb.md');
  });
});
