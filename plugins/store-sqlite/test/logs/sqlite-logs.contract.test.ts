import { declareSuite, evalLogSuite, answerLogSuite } from '@kebab/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fileStore, memoryStore } from '../open-test-store.ts';

declareSuite(evalLogSuite({ open: async () => (await memoryStore()).store.evals }), { describe, it });

describe('runs in a database', () => {
  const folders: string[] = [];
  const run = {
    runId: 'run_1',
    suite: 'golden.yaml',
    configSnapshotJson: '{}',
    aggregateJson: '{}',
    commitHash: null,
    createdAt: new Date('2026-01-01T00:00:00Z'),
  };
  const databaseFile = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'kebab-evals-'));
    folders.push(folder);
    return join(folder, 'kebab.sqlite');
  };

  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  it("are recorded while another store holds the writer's lock", async () => {
    const file = databaseFile();
    const [ingesting, evaluating] = [await fileStore(file), await fileStore(file)];
    const writer = await ingesting.openWriter({ waitMs: 0 });
    await evaluating.evals.record(run, [{ queryId: 'a', resultJson: '{}' }]);
    await writer.close();
    expect(await ingesting.evals.find('run_1')).toEqual(run);
    ingesting.close();
    evaluating.close();
  });

  it('are rejected by a store opened for reading', async () => {
    const file = databaseFile();
    (await fileStore(file)).close();
    const reader = await fileStore(file, true);
    await expect(reader.evals.record(run, [])).rejects.toThrow(expect.objectContaining({ code: 'readonly_mode' }));
    expect(await reader.evals.latest(1)).toEqual([]);
    reader.close();
  });
});

declareSuite(answerLogSuite({ open: async () => (await memoryStore()).store.answers }), { describe, it });
