import { describe, expect, it } from 'vitest';
import type { Hook } from '../../src/contracts/hook.ts';
import { IngestWorld } from './ingest-world.ts';

describe('hooks of an ingest', () => {
  it('receive a frozen copy of the report, for folders and single texts alike, even if an earlier hook throws', async () => {
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
