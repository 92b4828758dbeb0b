import { describe, expect, it, vi } from 'vitest';
import { Printer } from '../../src/io/printer.ts';
import { SlowFiles, plainProgress, progressLine } from '../../src/progress/ingest-progress.ts';
import { event } from '../examples.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';

function clock() {
  let at = 0;
  return { now: () => at, pass: (ms: number) => void (at += ms) };
}

const finished = (idx: number, total: number) =>
  event({ kind: 'asset_finished', idx, total, result: 'new', chunks: 1 });

describe('progressLine', () => {
  it('draws over itself at most ten times a second, and leaves nothing behind', () => {
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

  it('moves while a file takes long, and names the file with its seconds', () => {
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

  it('shows nothing after its end', () => {
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

  it('writes a line every two seconds where files take long', () => {
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

describe('SlowFiles', () => {
  it('keeps the five slowest, the slowest first', () => {
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
