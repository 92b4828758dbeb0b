import { describe, expect, it } from 'vitest';
import type { QuarantinedFile } from '../../src/contracts/document-store.ts';
import { CrashGuard } from '../../src/extraction/crash-guard.ts';
import type { ChunkJob, ExtractionJob } from '../../src/extraction/extraction-job.ts';
import { hostOf } from './host-of.ts';
import { pluginFailure } from '../../src/plugin/plugin-failure.ts';

const plugin = { name: 'p', version: '1.0.0' };
const CHUNKER = { chunkerId: 'lines', chunkerPlugin: { name: 'c', version: '3.0.0' } };
const job = (extractorId = 'x', version = '1.0.0'): ExtractionJob =>
  ({
    extractorId,
    plugin: { ...plugin, version },
    ...CHUNKER,
    parts: { asset: { workspacePath: 'a.x' } },
  }) as ExtractionJob;
const crashed = (n: number): QuarantinedFile =>
  ({ agent: 'p@1.0.0', workspacePath: `${n}.x`, reason: `p@1.0.0/crash/${n}.x failed: no` }) as QuarantinedFile;

function guardOf(
  quarantined: readonly QuarantinedFile[],
  stage: string,
): { readonly guard: CrashGuard; readonly calls: () => number } {
  let calls = 0;
  const host = hostOf(async ({ kind }) => {
    calls++;
    const site = { extract: plugin, render: plugin, chunk: CHUNKER.chunkerPlugin };
    throw pluginFailure(new Error('no'), { plugin: site[kind], kind, stage });
  });
  return {
    guard: new CrashGuard({ host, quarantined, maxCrashes: ({ id }) => (id === 'builtin' ? null : 3) }),
    calls: () => calls,
  };
}

const { signal } = new AbortController();

describe('CrashGuard', () => {
  it('stops calling a plugin version after three crashes, including those of earlier runs', async () => {
    const { guard, calls } = guardOf([crashed(1), crashed(2)], 'crash');
    await expect(guard.extract(job(), signal)).rejects.toThrow('p@1.0.0/crash failed: no');
    await expect(guard.extract(job(), signal)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringMatching(/^p@1\.0\.0\/crash\/a\.x failed: it is switched off after 3 crashes/),
    });
    expect(calls()).toBe(1);
  });

  it('stops calling a chunker after three crashes, without counting them against extractors', async () => {
    const { guard, calls } = guardOf([], 'crash');
    const cut = { ...CHUNKER, document: { workspacePath: 'a.x' } } as ChunkJob;
    for (let n = 0; n < 3; n++) await expect(guard.chunk(cut, signal)).rejects.toThrow('c@3.0.0/crash failed: no');
    await expect(guard.chunk(cut, signal)).rejects.toThrow(
      'c@3.0.0/crash/a.x failed: it is switched off after 3 crashes',
    );
    await expect(guard.extract(job(), signal)).rejects.toThrow('c@3.0.0/crash/a.x failed: it is switched off');
    await expect(guard.extract({ ...job(), chunkerId: 'builtin' }, signal)).rejects.toThrow('p@1.0.0/crash failed: no');
    expect(calls()).toBe(4);
  });

  it('keeps calling other versions, built-in plugins, and plugins that fail without crashing', async () => {
    const { guard, calls } = guardOf([crashed(1), crashed(2), crashed(3)], 'extract');
    await expect(guard.extract(job('x', '1.0.1'), signal)).rejects.toThrow('failed: no');
    await expect(guard.extract(job('builtin'), signal)).rejects.toThrow('failed: no');
    expect(calls()).toBe(2);
    const failing = guardOf([], 'extract');
    for (let n = 0; n < 5; n++) await expect(failing.guard.extract(job(), signal)).rejects.toThrow('failed: no');
    expect(failing.calls()).toBe(5);
  });
});
