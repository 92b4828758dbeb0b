import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
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
    program: new URL('program.mjs', pathToFileURL(`${code}/`)),
    code: [],
    readable: ['/cache'],
    tmpDir: '/tmp/kebab-1',
    dataDirs: permissions.some(({ fs }) => fs === 'data-dir') ? ['/data'] : [],
  });
const code = mkdtempSync(join(tmpdir(), 'kebab-code-'));
afterAll(() => rmSync(code, { recursive: true }));

describe('processFence', () => {
  it('removes variables that may hold a secret from the environment', () => {
    const { ORT_DISABLE_TELEMETRY, ...env } = fenceOf(nothing).env;
    expect(env).toEqual({ PATH: '/bin', LANG: 'C', HOME: '/home/me' });
    expect(ORT_DISABLE_TELEMETRY).toBe('1'); // the fence does not cover connections of native code
  });

  it('lets plugins without permissions read code, write only into the temporary folder, and start no program', () => {
    const { flags, hosts } = fenceOf(nothing, nothing);
    const reads = flags.filter((flag) => flag.startsWith('--allow-fs-read='));
    expect(reads).toContain(`--allow-fs-read=${code}`);
    expect(reads).toContain('--allow-fs-read=/cache');
    expect(reads).toContain('--allow-fs-read=/tmp/kebab-1');
    expect(reads).not.toContain('--allow-fs-read=*');
    expect(flags.filter((flag) => !reads.includes(flag))).toEqual([
      expect.stringMatching(/^--(?:experimental-)?permission$/),
      '--allow-fs-write=/tmp/kebab-1',
      '--allow-addons',
      '--allow-worker',
    ]);
    expect(hosts).toEqual([]);
  });

  it('lets a plugin that declares it read any file', () => {
    const reads = fenceOf(nothing, { ...nothing, fs: 'input-only' }).flags.filter((flag) => flag.includes('fs-read'));
    expect(reads).toEqual(['--allow-fs-read=*']);
  });

  it('grants the process the union of its plugins’ permissions', () => {
    const { flags, hosts } = fenceOf(
      { fs: 'data-dir', net: ['a.example', 'b.example'], spawn: [] },
      { fs: 'none', net: ['b.example'], spawn: ['pandoc'] },
    );
    expect(flags).toContain('--allow-fs-read=/data');
    expect(flags).toContain('--allow-fs-write=/data');
    expect(flags).toContain('--allow-child-process');
    expect(hosts).toEqual(['a.example', 'b.example']);
  });
});

describe('LimitedProcess', () => {
  it('ends with this process without one listener per process', async () => {
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
