import { answerLogSuite, declareSuite, evalLogSuite } from '@kebab/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { testStore, type TestStore } from '../open-test-store.ts';
import { POSTGRES_MISSING } from '../with-postgres.ts';

describe.skipIf(POSTGRES_MISSING)('records on PostgreSQL', () => {
  const opened: TestStore[] = [];
  const open = async (): Promise<TestStore> => {
    const made = await testStore();
    opened.push(made);
    return made;
  };

  afterEach(async () => {
    for (const made of opened.splice(0)) await made.close();
  });

  declareSuite(evalLogSuite({ open: async () => (await open()).store.evals }), { describe, it });
  declareSuite(answerLogSuite({ open: async () => (await open()).store.answers }), { describe, it });

  it("are written while another process has the writer's lock, and rejected by a store opened for reading", async () => {
    const { store, reader } = await open();
    const writer = await store.openWriter({ waitMs: 0 });
    const run = {
      runId: 'run_1',
      suite: 'golden.yaml',
      configSnapshotJson: '{}',
      aggregateJson: '{}',
      commitHash: null,
      createdAt: new Date('2026-01-01T00:00:00Z'),
    };
    await store.evals.record(run, [{ queryId: 'a', resultJson: '{}' }]);
    await writer.close();
    const other = await reader();
    expect(await other.evals.find('run_1')).toEqual(run);
    await expect(other.evals.record(run, [])).rejects.toThrow(expect.objectContaining({ code: 'readonly_mode' }));
  });
});
