import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PairModel, type PairModelSpec } from '../../src/encode/pair-model.ts';
import { writeTinyCrossEncoder } from '../../src/testing/index.ts';
import { PairThread } from '../../src/worker/pair-thread.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();
const threads: PairThread[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

function tinySpec(told: Partial<PairModelSpec> = {}): PairModelSpec {
  const folder = newFolder();
  const labels = ['neutral', 'entailment', 'contradiction'];
  writeTinyCrossEncoder(folder, { texts: ['red green blue apple pie'], labels });
  return {
    folder,
    file: path.join(folder, 'onnx/model.onnx'),
    precision: 'q8',
    maxTokens: 16,
    passage: 'first',
    answers: 3,
    batchSize: 4,
    threads: 1,
    ...told,
  } as const;
}

function threadOf(spec: PairModelSpec): PairThread {
  const thread = new PairThread(spec, 'checking claims');
  threads.push(thread);
  return thread;
}

describe('PairThread', () => {
  it('gives what the model gives in this thread, window by window', async () => {
    const spec = tinySpec();
    const pairs = [
      { text: 'red', passage: 'red green' },
      { text: 'blue', passage: 'red green blue apple pie '.repeat(8) },
    ];
    const expected = await (await PairModel.open(spec)).logits(pairs, () => {});
    const judged = await threadOf(spec).judge(pairs);
    expect(judged[0]).toEqual([[expect.any(Float32Array)]]);
    expect(judged[1]?.[0]?.length).toBeGreaterThan(3);
    for (const windows of judged.flat(1)) for (const logits of windows) expect(logits).toHaveLength(3);
    const flat = judged.map((parts) => parts.map((windows) => windows.flatMap((logits) => [...logits])));
    expect(flat).toEqual(expected.map((parts) => parts.map((logits) => [...logits])));
  });

  it('stops in the middle, and goes on with the next call', async () => {
    const thread = threadOf(tinySpec());
    const pair = { text: 'red', passage: 'red green' };
    await thread.judge([pair]);
    const controller = new AbortController();
    const long = thread.judge(
      Array.from({ length: 200_000 }, () => pair),
      controller,
    );
    const next = thread.judge([pair]);
    setImmediate(() => controller.abort('enough'));
    await expect(long).rejects.toMatchObject({ code: 'cancelled', details: { operation: 'checking claims' } });
    expect(await next).toHaveLength(1);
  });

  it('refuses a call whose signal has fired, and cancels what is under way when it is closed', async () => {
    const thread = threadOf(tinySpec());
    const pair = { text: 'red', passage: 'red green' };
    await expect(thread.judge([pair], { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
    const outcome = thread.judge(Array.from({ length: 200_000 }, () => pair)).catch((error: unknown) => error);
    await thread.close();
    expect(await outcome).toMatchObject({ code: 'cancelled' });
  });
});
