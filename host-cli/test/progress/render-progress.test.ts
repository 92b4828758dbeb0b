import { describe, expect, it } from 'vitest';
import { renderProgress } from '../../src/progress/render-progress.ts';
import type { ProgressState } from '../../src/progress/progress-state.ts';
import { textWidth } from '../../src/render/text-width.ts';

function working(done: number, total: number, seconds: number, activity = 'notes/a.md'): ProgressState {
  return { kind: 'working', done, total, activity, startedAt: 1000, at: 1000 + seconds * 1000 };
}

describe('renderProgress', () => {
  it.each<[string, ProgressState]>([
    ['scanning /kb', { kind: 'scanning', root: '/kb' }],
    ['█████░░░░░░░░░░░░░░░  25/100  50 files/s  1.5 s left  notes/a.md', working(25, 100, 0.5)],
    ['██████████░░░░░░░░░░  50/100  2.5 files/s  20.0 s left  notes/a.md', working(50, 100, 20)],
    ['░░░░░░░░░░░░░░░░░░░░   2/100  notes/a.md', working(2, 100, 0.5)],
    ['████████████████████ 100/100  10 files/s', working(100, 100, 10, '')],
    ['████████████████████ 0/0', working(0, 0, 1, '')],
  ])('draws "%s"', (line, state) => {
    expect(renderProgress(state, 80)).toBe(line);
  });

  it('keeps the end of a long path, where the name of the file is', () => {
    const line = renderProgress(working(25, 100, 0.5, 'very/long/path/to/some/folder/of/notes/today.md'), 80);
    expect(line).toMatch(/ {2}….*notes\/today\.md$/);
    expect(textWidth(line)).toBe(80);
  });

  it.each([10, 20, 30, 40, 60, 79])('never takes more than %i columns', (columns) => {
    for (const state of [
      working(999, 12_345, 7, '한국어/문서/파일이름이-아주-긴.md'),
      working(1, 2, 1),
      working(2, 2, 1),
    ])
      expect(textWidth(renderProgress(state, columns))).toBeLessThanOrEqual(columns);
  });

  it('shows no control characters of a file name', () => {
    expect(renderProgress(working(1, 2, 1, 'a\u001b[2Jb.md'), 80)).toContain('a␛[2Jb.md');
  });
});
