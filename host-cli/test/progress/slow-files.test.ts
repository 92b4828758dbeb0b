import { describe, expect, it } from 'vitest';
import { SlowFiles } from '../../src/progress/slow-files.ts';
import { event } from '../examples/progress.ts';

describe('the slowest files', () => {
  it('are at most five that took over a second, the slowest first', () => {
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
