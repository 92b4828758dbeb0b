import { describe, expect, it } from 'vitest';
import { processFence } from '../../../src/plugin/process/limited-process.ts';
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
    expect(fenceOf(nothing).env).toEqual({ PATH: '/bin', LANG: 'C', HOME: '/home/me' });
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
