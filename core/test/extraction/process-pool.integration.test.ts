import { componentPorts } from '../../src/ports.ts';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { Extraction } from '../../src/extraction/extraction-job.ts';
import { InlineExtraction } from '../../src/extraction/inline-extraction.ts';
import { type PoolOptions, ProcessPool } from '../../src/extraction/process-pool.ts';
import { silentCallContext, DEFAULT_POLICY } from '@kebab/testing';
import { FakeComponents } from '../fake-components.ts';
import { lineChunker, plainExtractor } from '../ingest/plain-extractor.ts';
import { hostileJob as job } from './hostile-job.ts';
import { cutterManifest, hostileManifest } from './hostile-manifest.ts';

const PLUGINS = [hostileManifest, cutterManifest].map((manifest) => ({
  manifest,
  moduleUrl: null,
  config: {},
  settings: {},
}));

const pools: ProcessPool[] = [];
afterEach(async () => {
  for (const opened of pools.splice(0)) await opened.close();
});

/** Pools of one process for all tests after which it can be used again: starting one takes longer than most of them. */
const shared = startPool();
const impatient = startPool({ timeoutMs: 2500 });
afterAll(async () => {
  for (const opened of [shared, impatient]) await opened.close();
});

function pool(options: Partial<Pick<PoolOptions, 'processes' | 'timeoutMs' | 'thirdParty'>> = {}): ProcessPool {
  const made = startPool(options);
  pools.push(made);
  return made;
}

function startPool({
  timeoutMs = 60_000,
  processes = 1,
  thirdParty,
}: Partial<Pick<PoolOptions, 'processes' | 'timeoutMs' | 'thirdParty'>> = {}): ProcessPool {
  return new ProcessPool({
    url: new URL('hostile-worker.ts', import.meta.url),
    env: process.env,
    init: { plugins: PLUGINS, memoryMb: 256 },
    tmpDir: '/nowhere',
    timeoutMs,
    processes,
    thirdParty,
  });
}

const never = silentCallContext().signal;

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function extractInline(text: string): Promise<Extraction> {
  const components = new FakeComponents({
    extractor: { plain: plainExtractor() },
    chunker: { 'md-heading-v1': lineChunker('md-heading-v1') },
  });
  return new InlineExtraction({ ...componentPorts(components), log: silentCallContext().log }).extract(
    job(text),
    never,
  );
}

describe('a pool of extraction processes', () => {
  it('returns the same result as extraction on the calling thread', async () => {
    const text = '# A\n\nwarn me, 한글 😀\n';
    expect(await shared.extract(job(text), never)).toEqual(await extractInline(text));
  });

  it('does not detach the bytes of its input', async () => {
    const given = job('# A');
    await shared.extract(given, never);
    expect(new TextDecoder().decode(given.bytes)).toBe('# A');
  });

  it.each([
    ['hang', 'it did not finish within 2.5 s'],
    ['wait', 'it did not finish within 2.5 s'],
    ['exit', 'its process ended with code 3'],
    ['crash', 'undefined is not a function'],
    ['abort', 'its process was ended by SIGABRT'],
  ])('fails only the file on which an extractor does "%s", names it, and extracts the next', async (act, cause) => {
    await impatient.extract(job('# first'), never);
    const failure = await impatient.extract(job(act), never).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'plugin_failed',
      details: { plugin: 'hostile', version: '2.0.0', kind: 'extractor', stage: 'crash', path: 'a.md' },
    });
    expect((failure as Error).message).toMatch(new RegExp(`^hostile@2\\.0\\.0/crash/a\\.md failed: .*${cause}`));
    expect((await impatient.extract(job('# next'), never)).document.text).toBe('# next');
  });

  it('passes on the error of an extractor, and keeps its process', async () => {
    await expect(shared.extract(job('throw'), never)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: 'hostile@2.0.0/extract/a.md failed: no such thing',
    });
    expect((await shared.extract(job('# next'), never)).document.text).toBe('# next');
  });

  it.each(['fill', 'eat'])('ends a process that exceeds its memory, buffers included, with "%s"', async (act) => {
    const message = 'hostile@2.0.0/crash/a.md failed: it took more than 256 MiB of memory';
    await expect(shared.extract(job(act), never)).rejects.toMatchObject({ code: 'plugin_failed', message });
    expect((await shared.extract(job('# next'), never)).document.text).toBe('# next');
  });

  it.each([
    ['loop', 'it did not finish within 2.5 s'],
    ['end', 'its process ended with code 4'],
  ])('blames the chunker of another plugin when its process does "%s"', async (act, cause) => {
    const cut = { chunkerId: 'cutter-v1', chunkerPlugin: cutterManifest };
    const blamed = {
      code: 'plugin_failed',
      message: `cutter@3.0.0/crash/a.md failed: ${cause}`,
      details: { plugin: 'cutter', kind: 'chunker' },
    };
    await expect(impatient.extract({ ...job(`# ${act}`), ...cut }, never)).rejects.toMatchObject(blamed);
    const { document } = await impatient.extract(job(`# ${act}`), never);
    await expect(impatient.chunk({ document, ...cut, policy: DEFAULT_POLICY }, never)).rejects.toMatchObject(blamed);
  });

  it('fails only the files that end their processes when there are more files than processes', async () => {
    const two = pool({ processes: 2, timeoutMs: 2500 });
    const texts = ['# 0', 'exit', '# 2', 'hang', '# 4', 'throw', '# 6'];
    const settled = await Promise.allSettled(texts.map((text) => two.extract(job(text), never)));
    expect(
      settled.map((file) => (file.status === 'fulfilled' ? file.value.document.text : String(file.reason))),
    ).toEqual([
      '# 0',
      expect.stringMatching(/its process ended with code 3$/),
      '# 2',
      expect.stringMatching(/it did not finish within 2\.5 s$/),
      '# 4',
      expect.stringMatching(/extract\/a\.md failed: no such thing$/),
      '# 6',
    ]);
  });

  it('runs third-party plugins in the sandbox of those that take part, and reports only their failures', async () => {
    const sandboxes: string[] = [];
    const failures: unknown[] = [];
    const one = pool({
      thirdParty: {
        plugins: new Set(['hostile', 'cutter']),
        sandboxOf: (plugins) => {
          sandboxes.push(plugins.join('+'));
          return { sandbox: { env: process.env as Record<string, string>, flags: [], hosts: [] }, tmpDir: '/nowhere' };
        },
        onFailure: (error) => failures.push((error as Error).message),
      },
    });
    const { document } = await one.extract(job('# end'), never);
    await expect(one.extract(job('throw'), never)).rejects.toThrow('no such thing');
    const cut = { chunkerId: 'cutter-v1', chunkerPlugin: cutterManifest };
    await expect(one.extract({ ...job('# end'), ...cut }, never)).rejects.toThrow('code 4');
    await expect(one.chunk({ document, ...cut, policy: DEFAULT_POLICY }, never)).rejects.toThrow('code 4');
    expect(sandboxes).toEqual(['hostile', 'cutter+hostile', 'cutter']);
    expect(failures).toEqual([
      'hostile@2.0.0/extract/a.md failed: no such thing',
      'cutter@3.0.0/crash/a.md failed: its process ended with code 4',
      'cutter@3.0.0/crash/a.md failed: its process ended with code 4',
    ]);
  });

  it('confines changes to globals to the process that made them', async () => {
    const one = pool();
    await one.extract(job('# patch'), never);
    await expect(one.extract(job('look'), never)).rejects.toThrow('JSON.parse gives patched');
    await expect(shared.extract(job('look'), never)).rejects.toThrow('JSON.parse gives 1');
    expect(JSON.parse('1')).toBe(1);
  });

  it('leaves no process behind when its parent is killed, not even a hanging one', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-orphan-'));
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const pidFile = path.join(folder, 'pid');
    const program = [fileURLToPath(new URL('orphaning-program.ts', import.meta.url)), pidFile];
    const env = { ...process.env, VITEST_WORKER_ID: '1' };
    const parent = spawn(process.execPath, ['--import', './scripts/register-ts.mjs', ...program], { cwd: root, env });
    try {
      await vi.waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '', { timeout: 60_000 });
      const pid = Number(readFileSync(pidFile, 'utf8'));
      expect(isAlive(pid)).toBe(true);
      parent.kill('SIGKILL');
      await vi.waitUntil(() => !isAlive(pid), { timeout: 60_000 });
    } finally {
      parent.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('passes on a KebabError with its code, details and hint', async () => {
    await expect(shared.extract(job('known'), never)).rejects.toMatchObject({
      code: 'io_error',
      message: 'it is encrypted',
      hint: 'unlock it',
      details: { kind: 'EACCES', path: 'a.md', cause: 'locked' },
    });
  });

  it('rejects a file in flight after it is cancelled', async () => {
    const abort = new AbortController();
    const extraction = shared.extract(job('wait'), abort.signal);
    abort.abort();
    await expect(extraction).rejects.toMatchObject({ code: 'cancelled' });
    const settled = new AbortController();
    const fine = shared.extract(job('# fine'), settled.signal);
    expect((await fine).document.text).toBe('# fine');
  });

  it('rejects a file that waits for a process as soon as it is cancelled, and continues with the others', async () => {
    const first = shared.extract(job('# first'), never);
    const abort = new AbortController();
    const waiting = shared.extract(job('# waiting'), abort.signal);
    const last = shared.extract(job('# last'), never);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    expect([(await first).document.text, (await last).document.text]).toEqual(['# first', '# last']);
  });
});
