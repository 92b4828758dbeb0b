import type { IngestProgress } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { NOT_STARTED, advance } from '../../src/progress/progress-state.ts';
import { event } from '../examples/progress.ts';

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

  it('takes the beginning of the clock from the end of the scan', () => {
    const state = RUN.reduce((before, next, at) => advance(before, next, at * 100), NOT_STARTED);
    expect(state).toMatchObject({ startedAt: 100, total: 2 });
  });
});
