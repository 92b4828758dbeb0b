import { describe, expect, it } from 'vitest';
import type { Hook } from '../../../src/contracts/hook.ts';
import { IngestWorld } from '../ingest-world.ts';

describe('an ingest', () => {
  it('shows hooks a frozen copy of its report, whatever it took in, and goes on when one throws', async () => {
    const seen: unknown[] = [];
    const hook: Record<string, Hook> = {
      broken: {
        onIngested: () => {
          throw new Error('a defect');
        },
      },
      watching: { onIngested: (report) => void seen.push(report) },
    };
    const world = await IngestWorld.open({ files: { 'a.md': 'one' }, contributions: { hook } });
    const reports = [await world.ingest(), await world.ingestText('two', { title: 'Two' })];
    expect(seen).toEqual(reports);
    expect(seen[0]).not.toBe(reports[0]);
    expect(seen.every((report) => Object.isFrozen(report))).toBe(true);
    world.close();
  });
});
