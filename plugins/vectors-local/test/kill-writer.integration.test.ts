import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { VectorRecord, VectorStore } from '@kebab/core';
import { exactSearch, numbersFrom, sampleIds, sampleVector } from '@kebab/testing';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { VectorFile } from './open-local-store.ts';

const register = new URL('../../../scripts/register-ts.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('write-forever.ts', import.meta.url));

/**
 * Runs a writer until it has reported `batches` written batches, calls `meanwhile` each time, and kills it. Returns the last reported
 * batch.
 */
async function writeAndKill(
  file: string,
  {
    start,
    batches,
    meanwhile,
  }: { readonly start: number; readonly batches: number; readonly meanwhile: () => Promise<void> },
): Promise<number> {
  const child = spawn(process.execPath, ['--import', register, program, file, String(start)], {
    env: { ...process.env, VITEST_WORKER_ID: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = start - 1;
  let said = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    await meanwhile();
    if (++said === batches) child.kill('SIGKILL');
  }
  await exited;
  return last;
}

async function recordsOf(store: VectorStore): Promise<readonly VectorRecord[]> {
  const records: VectorRecord[] = [];
  for await (const record of store.records('killed')) records.push(record);
  return records;
}

/** Whether all vectors of a batch exist; fails if only some do. */
function isBatchThere(found: ReadonlySet<string>, batch: number): boolean {
  const ids = Array.from({ length: 50 }, (_, at) => sampleIds(batch * 50 + at).embeddingId);
  const there = ids.filter((id) => found.has(id)).length;
  expect([0, 50], `vectors of batch ${batch}`).toContain(there);
  return there === 50;
}

it('loses nothing that was written and returns nothing that was deleted when its writer is killed', async () => {
  const vectors = new VectorFile();
  const search = { vector: sampleVector(24, numbersFrom(9)), limit: 50, allow: { kind: 'all' } as const };
  try {
    let next = 0;
    for (const batches of [1, 4, 9]) {
      let reader: VectorStore | undefined;
      const meanwhile = async (): Promise<void> => {
        reader ??= await vectors.open(true);
        expect(await reader.search('killed', search)).toHaveLength(50);
      };
      const last = await writeAndKill(vectors.file, { start: next, batches, meanwhile });
      expect(last).toBeGreaterThanOrEqual(next);
      const store = await vectors.open(true);
      const records = await recordsOf(store);
      const found = new Set(records.map(({ embeddingId }) => embeddingId));
      // It may have been killed between writing, or deleting, and reporting that: both are atomic.
      const written = isBatchThere(found, last + 1) ? last + 1 : last;
      const deleted = isBatchThere(found, last) ? last : written;
      for (let batch = next; batch <= written; batch++) {
        const isDeleted = batch % 2 === 0 && batch + 1 <= deleted;
        expect(isBatchThere(found, batch), `batch ${batch} of ${written}, after ${last} was said`).toBe(!isDeleted);
      }
      expect(await store.count('killed')).toBe(records.length);
      const ids = (await store.search('killed', search)).map(({ embeddingId }) => embeddingId);
      const exact = exactSearch(records, search).map(({ embeddingId }) => embeddingId);
      expect(ids).toEqual(exact);
      expect(await store.checkIntegrity()).toEqual([]);
      vectors.closeAll();
      next = last + 3 - ((last + 3) % 2);
    }
    const db = new Sqlite(vectors.file, { readonly: true });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    db.close();
  } finally {
    vectors.remove();
  }
}, 120_000);
