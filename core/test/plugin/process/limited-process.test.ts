import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LimitedProcess, processFence } from '../../../src/plugin/process/limited-process.ts';
import type { PluginPermissions } from '../../../src/plugin/define-plugin.ts';

const nothing: PluginPermissions = { fs: 'none', net: [], spawn: [] };
const fenceOf = (...permissions: readonly PluginPermissions[]) =>
  processFence({
    permissions,
    env: {
      PATH: '/bin',
      LANG: 'C',
      HOME: '/home/me',
      OPENAI_API_KEY: 'sk-1',
      KEBAB_MODELS_LLM_API_KEY: 'k',
      TZ: undefined,
    },
    tmpDir: '/tmp/kebab-1',
    dataDir: '/data',
  });

describe('processFence', () => {
  it('keeps variables that may hold a secret out of the process', () => {
    const { ORT_DISABLE_TELEMETRY, ...env } = fenceOf(nothing).env;
    expect(env).toEqual({ PATH: '/bin', LANG: 'C', HOME: '/home/me' });
    expect(ORT_DISABLE_TELEMETRY).toBe('1'); // no fence sees the connections of native code
  });

  it('lets plugins that declare nothing write into the folder for passing files only, and start nothing', () => {
    const { flags, hosts } = fenceOf(nothing, { ...nothing, fs: 'input-only' });
    expect(flags).toEqual([
      expect.stringMatching(/^--(?:experimental-)?permission$/),
      '--allow-fs-read=*',
      '--allow-fs-write=/tmp/kebab-1',
      '--allow-addons',
      '--allow-worker',
    ]);
    expect(hosts).toEqual([]);
  });

  it('gives the process what any of its plugins declares', () => {
    const { flags, hosts } = fenceOf(
      { fs: 'data-dir', net: ['a.example', 'b.example'], spawn: [] },
      { fs: 'none', net: ['b.example'], spawn: ['pandoc'] },
    );
    expect(flags).toContain('--allow-fs-write=/data');
    expect(flags).toContain('--allow-child-process');
    expect(hosts).toEqual(['a.example', 'b.example']);
  });
});

describe('LimitedProcess', () => {
  it('ends with this process without a listener for each', async () => {
    const warnings: string[] = [];
    const hear = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', hear);
    onTestFinished(() => void process.off('warning', hear));
    const before = process.listenerCount('exit');
    const folder = mkdtempSync(join(tmpdir(), 'kebab-idle-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'idle.mjs'), 'setInterval(() => {}, 60_000);');
    const url = pathToFileURL(join(folder, 'idle.mjs'));
    const listeners = { onReport: () => {}, onEnd: () => {} };
    const started = Array.from({ length: 11 }, () => new LimitedProcess({ url, env: {}, memoryMb: 32 }, listeners));
    expect(process.listenerCount('exit')).toBe(before + 1);
    await Promise.all(started.map((one) => one.end()));
    expect(process.listenerCount('exit')).toBe(before);
    expect(warnings).toEqual([]);
  });
});
