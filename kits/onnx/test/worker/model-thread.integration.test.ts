import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { EmbedInput } from '@kebab/core';
import { afterEach, describe, expect, it } from 'vitest';
import { loadTextModel, type TextModelSpec } from '../../src/encode/text-model.ts';
import { ModelThread, PairThread } from '../../src/worker/model-thread.ts';
import {
  sharedModel,
  tinyTable,
  writeTinyModel,
  writeTinyTable,
  writeTinyCrossEncoder,
} from '../../src/testing/index.ts';
import { specFor } from '../encode/model-spec.ts';
import { tempFolders } from '../temp-folder.ts';
import { PairModel, type PairModelSpec } from '../../src/encode/pair-model.ts';

const newFolder = tempFolders();
const threads: ModelThread[] = [];
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

async function tinySpec(told: Partial<TextModelSpec> = {}): Promise<TextModelSpec> {
  const folder = newFolder();
  writeTinyModel(folder);
  return specFor(folder, told);
}

function threadOf(spec: TextModelSpec): ModelThread {
  const thread = new ModelThread(spec);
  threads.push(thread);
  return thread;
}

const inputsOf = (...texts: readonly string[]): readonly EmbedInput[] =>
  texts.map((text) => ({ text, kind: 'document' }));

const LONG_WORK: readonly EmbedInput[] = Array.from({ length: 200_000 }, () => ({
  text: 'red apple pie',
  kind: 'document',
}));

describe('ModelThread', () => {
  it('returns the same vectors as the model in this thread', async () => {
    const spec = await tinySpec();
    const inputs = inputsOf('red apple', '', 'the sky', 'xylophone');
    const expected = await (await loadTextModel(spec)).embed(inputs, () => {});
    const thread = threadOf(spec);
    expect(thread.isRunning).toBe(false);
    expect(await thread.embed(inputs)).toEqual(expected);
    expect(thread.isRunning).toBe(true);
    expect(await thread.load()).toEqual({ dimensions: 8 });
  });

  it('serves overlapping calls, each with its own results, aborts a running one, and continues with later ones', async () => {
    const thread = threadOf(await tinySpec({ precision: 'q8' }));
    const [one, two, three] = await Promise.all([
      thread.embed(inputsOf('red')),
      thread.embed(inputsOf('blue', 'green')),
      thread.embed(inputsOf('red')),
    ]);
    expect(one).toEqual(three);
    expect(two).toHaveLength(2);
    expect(two[0]).not.toEqual(one[0]);
    const controller = new AbortController();
    const long = thread.embed(LONG_WORK, controller);
    const next = thread.embed(inputsOf('red'));
    setImmediate(() => controller.abort('enough'));
    await expect(long).rejects.toMatchObject({ code: 'cancelled', details: { operation: 'embedding' } });
    expect((await next)[0]).toHaveLength(8);
    await expect(thread.embed(inputsOf('red'), controller)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('cancels running calls when closed, and ends its thread', async () => {
    const thread = threadOf(await tinySpec({ precision: 'q8' }));
    await thread.load();
    const long = thread.embed(LONG_WORK);
    const outcome = long.catch((error: unknown) => error);
    await thread.close();
    expect(await outcome).toMatchObject({ code: 'cancelled' });
    expect(thread.isRunning).toBe(false);
    await thread.close();
  });

  it('does not wait for a model that is loading when closed', async () => {
    const thread = threadOf(await tinySpec());
    let isLoaded = false;
    const loading = thread.load().finally(() => (isLoaded = true));
    const outcome = thread.embed(inputsOf('red')).catch((error: unknown) => error);
    await thread.close();
    expect([isLoaded, await outcome]).toEqual([false, expect.objectContaining({ code: 'cancelled' })]);
    expect((await loading).dimensions).toBe(8);
  });

  it('reports damaged weights, and loads them once they are repaired', async () => {
    const spec = await tinySpec();
    const { file } = spec.weights;
    writeFileSync(file, 'this was a model once');
    const thread = threadOf(spec);
    const failure = { name: 'ModelStageError', stage: 'files' };
    await expect(thread.embed(inputsOf('red'))).rejects.toMatchObject(failure);
    await expect(thread.load()).rejects.toMatchObject(failure);
    writeTinyModel(spec.folder);
    expect((await thread.embed(inputsOf('red')))[0]).toHaveLength(8);
  });

  it('reports vectors with unexpected dimensions', async () => {
    const thread = threadOf(await tinySpec({ dimensions: 7 }));
    await expect(thread.embed(inputsOf('red'))).rejects.toMatchObject({
      stage: 'dimensions',
      message: expect.stringContaining('8 dimensions, not 7') as unknown,
    });
  });

  it('runs a table of token vectors as well', async () => {
    const folder = newFolder();
    writeTinyTable(folder, [{ name: 'embeddings', dtype: 'F32', shape: [16, 4], data: tinyTable(4) }]);
    expect((await threadOf(await specFor(folder)).embed(inputsOf('red')))[0]).toHaveLength(4);
  });

  it('lets the process exit when idle, but not when busy, and leaves nothing in the home folder, such as the id of the machine that the runtime sends with its telemetry', async () => {
    const spec = await tinySpec({ precision: 'q8' });
    const home = newFolder();
    const script = path.join(newFolder(), 'use-thread.mjs');
    const module = new URL('../../src/worker/model-thread.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { ModelThread } from ${JSON.stringify(module)};
      const thread = new ModelThread(${JSON.stringify(spec)});
      const vectors = await thread.embed([{ text: 'red', kind: 'query' }]);
      const controller = new AbortController();
      const texts = Array.from({ length: 50_000 }, () => ({ text: 'red apple pie', kind: 'document' }));
      const long = thread.embed(texts, controller).catch((error) => error.code);
      setTimeout(() => controller.abort(), 20);
      console.log(vectors[0].length, await long);`,
    );
    const runner = fileURLToPath(new URL('../../../../scripts/run-ts.mjs', import.meta.url));
    const { ORT_DISABLE_TELEMETRY: _, XDG_CACHE_HOME: __, ...env } = process.env;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--import', runner, script], {
      env: { ...env, HOME: home, USERPROFILE: home },
      timeout: 60_000,
    });
    expect([stdout.trim(), stderr, readdirSync(home)]).toEqual(['8 cancelled', '', []]);
  });

  const random = sharedModel('tiny-random-bert');
  it.skipIf(random === null)('does not block the caller while a model runs (skipped without ../shared)', async () => {
    const thread = threadOf(await specFor(random as string));
    await thread.load();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await thread.embed(inputsOf(...Array.from({ length: 100 }, (_, n) => `the use of all ${n} `.repeat(60))));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
  });
});

describe('PairThread', () => {
  const pairThreads: PairThread[] = [];
  afterEach(() => Promise.all(pairThreads.splice(0).map((thread) => thread.close())));

  function tinyPairSpec(told: Partial<PairModelSpec> = {}): PairModelSpec {
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

  function pairThreadOf(spec: PairModelSpec): PairThread {
    const thread = new PairThread(spec, 'checking claims');
    pairThreads.push(thread);
    return thread;
  }

  it('returns the same logits as the model in this thread, window by window', async () => {
    const spec = tinyPairSpec();
    const pairs = [
      { text: 'red', passage: 'red green' },
      { text: 'blue', passage: 'red green blue apple pie '.repeat(8) },
    ];
    const expected = await (await PairModel.open(spec)).logits(pairs, () => {});
    const judged = await pairThreadOf(spec).judge(pairs);
    expect(judged[0]).toEqual([[expect.any(Float32Array)]]);
    expect(judged[1]?.[0]?.length).toBeGreaterThan(3);
    for (const windows of judged.flat(1)) for (const logits of windows) expect(logits).toHaveLength(3);
    const flat = judged.map((parts) => parts.map((windows) => windows.flatMap((logits) => [...logits])));
    expect(flat).toEqual(expected.map((parts) => parts.map((logits) => [...logits])));
  });
});
