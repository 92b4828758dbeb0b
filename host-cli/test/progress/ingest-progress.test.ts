import type { IngestProgress } from '@kebab/core/app';
import { describe, expect, it, vi } from 'vitest';
import { Printer } from '../../src/io/printer.ts';
import {
  SlowFiles,
  plainProgress,
  progressLine,
  NOT_STARTED,
  advance,
  renderProgress,
  type ProgressState,
} from '../../src/progress/ingest-progress.ts';
import { textWidth } from '../../src/screen/text-width.ts';
import { event } from '../examples.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';

function clock() {
  let at = 0;
  return { now: () => at, pass: (ms: number) => void (at += ms) };
}

const finished = (idx: number, total: number) =>
  event({ kind: 'asset_finished', idx, total, result: 'new', chunks: 1 });

describe('progressLine', () => {
  it('redraws at most ten times a second, and leaves nothing behind', () => {
    const output = new MemoryOutput(60);
    const time = clock();
    const progress = progressLine(new Printer(output), time.now);
    progress.onEvent(event({ kind: 'scan_completed', total: 1000 }));
    for (let idx = 1; idx <= 1000; idx++) {
      time.pass(1);
      progress.onEvent(finished(idx, 1000));
    }
    progress.end();
    const drawings = output.text.split('\r\u001b[2K').slice(1);
    expect(drawings).toHaveLength(12);
    expect(drawings.at(-1)).toBe('');
    expect(output.text).not.toContain('\n');
  });

  it('updates during a slow file, and names the file with its duration', () => {
    vi.useFakeTimers();
    try {
      const output = new MemoryOutput(60);
      const progress = progressLine(new Printer(output), () => Date.now());
      progress.onEvent(event({ kind: 'scan_completed', total: 2 }));
      progress.onEvent(event({ kind: 'asset_started', idx: 1, total: 2, path: 'Geo.pdf', media: 'pdf' }));
      const drawn: string[] = [];
      for (let second = 1; second <= 3; second++) {
        vi.advanceTimersByTime(1000);
        drawn.push(output.text.split('\r\u001b[2K').at(-1) ?? '');
      }
      progress.end();
      expect(drawn).toEqual([1, 2, 3].map((s) => `░░░░░░░░░░ 0/2  ${s} s  Geo.pdf ${s} s`));
    } finally {
      vi.useRealTimers();
    }
  });

  it('shows nothing after end was called', () => {
    const output = new MemoryOutput(60);
    const progress = progressLine(new Printer(output), () => 0);
    progress.end();
    progress.onEvent(event({ kind: 'scan_started', root: '/kb' }));
    expect(output.text).toBe('');
  });
});

describe('plainProgress', () => {
  it('writes a line for every tenth of the files', () => {
    const output = new MemoryOutput();
    const progress = plainProgress(new Printer(output), () => 0);
    progress.onEvent(event({ kind: 'scan_completed', total: 40 }));
    for (let idx = 1; idx <= 40; idx++) progress.onEvent(finished(idx, 40));
    const lines = output.text.trimEnd().split('\n');
    expect(lines).toHaveLength(11);
    expect([lines[0], lines[1], lines.at(-1)]).toEqual([
      '0/40 files (0 %)',
      '4/40 files (10 %)',
      '40/40 files (100 %)',
    ]);
  });

  it('writes a line every two seconds if files take long', () => {
    const output = new MemoryOutput();
    const time = clock();
    const progress = plainProgress(new Printer(output), time.now);
    progress.onEvent(event({ kind: 'scan_completed', total: 1000 }));
    for (let idx = 1; idx <= 5; idx++) {
      time.pass(1000);
      progress.onEvent(finished(idx, 1000));
    }
    expect(output.text).toBe('0/1000 files (0 %)\n2/1000 files (0 %)\n4/1000 files (0 %)\n');
  });
});

describe('plainProgress of an ingest that embeds', () => {
  it('writes a line every two seconds with the passages embedded', () => {
    const output = new MemoryOutput();
    const time = clock();
    const progress = plainProgress(new Printer(output), time.now);
    progress.onEvent(event({ kind: 'scan_completed', total: 19 }));
    for (let batch = 1; batch <= 5; batch++) {
      time.pass(1000);
      progress.onEvent(event({ kind: 'embed_batch_finished', n_chunks: 32, ms: 1000, done: 0, total: 19 }));
    }
    expect(output.text).toBe(
      [
        '0/19 files (0 %)',
        '0/19 files (0 %)  embedding: 64 passages',
        '0/19 files (0 %)  embedding: 128 passages',
        '',
      ].join('\n'),
    );
  });
});

describe('SlowFiles', () => {
  it('keeps the five slowest files, the slowest first', () => {
    const files = new SlowFiles();
    for (const [i, ms] of [1200, undefined, 9000, 3000, 1100, 4000, 5000].entries()) {
      files.onEvent(event({ kind: 'asset_started', idx: i + 1, total: 7, path: `${i}.pdf`, media: 'pdf' }));
      const took = ms === undefined ? {} : { ms };
      files.onEvent(event({ kind: 'asset_finished', idx: i + 1, total: 7, result: 'new', chunks: 1, ...took }));
    }
    expect(files.slowest.map(({ path, ms }) => `${path} ${ms}`)).toEqual([
      '2.pdf 9000',
      '6.pdf 5000',
      '5.pdf 4000',
      '3.pdf 3000',
      '0.pdf 1200',
    ]);
  });
});

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

  it('names the file that a model is processing, and how many of its pictures are done', () => {
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

  it('counts the passages embedded while no document is complete, from a rate of their own', () => {
    const batch = { n_chunks: 32, done: 0, total: 19 };
    const events: readonly IngestProgress[] = [
      ...RUN,
      event({ kind: 'embed_batch_started', ...batch }),
      event({ kind: 'embed_batch_finished', ...batch, ms: 900 }),
      event({ kind: 'embed_batch_started', ...batch }),
      event({ kind: 'embed_batch_finished', ...batch, ms: 900, done: 1 }),
    ];
    const states = events.map((_, index) =>
      events.slice(0, index + 1).reduce((before, next, at) => advance(before, next, at * 100), NOT_STARTED),
    );
    expect(states.slice(-4)).toMatchObject([
      { activity: 'embedding', done: 0, total: 19, workingSince: 700 },
      { activity: 'embedding: 32 passages', done: 0, workingSince: 700 },
      { activity: 'embedding: 32 passages', done: 0, workingSince: 700 },
      { activity: 'embedding: 64 passages', done: 1, workingSince: 700 },
    ]);
  });

  it('counts files read and failed from the beginning of the scan', () => {
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
    passages: null,
    inHand: new Map(),
    startedAt: 1000,
    workingSince: 1000,
    at: 1000 + seconds * 1000,
    ...more,
  };
}

/** A file that started `since` seconds into a run of `seconds`. */
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
