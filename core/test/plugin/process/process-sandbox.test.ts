import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PluginPermissions } from '../../../src/plugin/define-plugin.ts';
import { moduleFolders, packageFolderOf, processSandbox } from '../../../src/plugin/process/process-sandbox.ts';

let root: string;
const at = (...names: readonly string[]): string => path.join(root, ...names);
const folder = (...names: readonly string[]): string => {
  mkdirSync(at(...names), { recursive: true });
  return at(...names);
};

beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kebab-modules-')));
  folder('project/plugin/src');
  writeFileSync(at('project/plugin/package.json'), '{}');
  writeFileSync(at('project/plugin/src/index.js'), '');
  folder('project/node_modules/mammoth');
  folder('project/node_modules/@kebab');
  folder('kebab/kits/plugin');
  folder('kebab/node_modules/zod');
  folder('notes');
  symlinkSync(at('kebab/kits/plugin'), at('project/node_modules/@kebab/plugin'));
  symlinkSync(at('nowhere'), at('project/node_modules/gone'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** Those below the folder of this test: a machine may have a `node_modules` above it. */
const ownFolders = (places: readonly string[]): readonly string[] =>
  moduleFolders(places)
    .filter((each) => each.startsWith(root))
    .map((each) => path.relative(root, each));

describe('moduleFolders', () => {
  it('adds the packages beside a folder and above it, and what links there lead to', () => {
    expect(ownFolders([at('project/plugin')])).toEqual([
      'project/plugin',
      'project/node_modules',
      'kebab/kits/plugin',
      'kebab/node_modules',
    ]);
  });

  it('takes the folder of a file, leaves out what is missing, and lists nothing twice', () => {
    const file = at('project/plugin/src/index.js');
    expect(ownFolders([file, at('project/plugin/src'), at('absent/plugin')])).toEqual([
      'project/plugin/src',
      'project/node_modules',
      'kebab/kits/plugin',
      'kebab/node_modules',
    ]);
  });

  it('adds the real folder of one that is linked', () => {
    symlinkSync(at('project/plugin'), at('linked'));
    expect(ownFolders([at('linked')])).toEqual(expect.arrayContaining(['linked', 'project/plugin']));
  });
});

describe('packageFolderOf', () => {
  it('is the nearest folder with a package.json', () => {
    expect(packageFolderOf(at('project/plugin/src/index.js'))).toBe(at('project/plugin'));
  });
});

const nothing: PluginPermissions = { fs: 'none', net: [], spawn: [] };
const sandboxOf = (...permissions: readonly PluginPermissions[]) =>
  processSandbox({
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
const code = mkdtempSync(path.join(tmpdir(), 'kebab-code-'));
afterAll(() => rmSync(code, { recursive: true }));

describe('processSandbox', () => {
  it('removes variables that may hold a secret from the environment', () => {
    const { ORT_DISABLE_TELEMETRY, ...env } = sandboxOf(nothing).env;
    expect(env).toEqual({ PATH: '/bin', LANG: 'C', HOME: '/home/me' });
    expect(ORT_DISABLE_TELEMETRY).toBe('1'); // the sandbox does not cover connections of native code
  });

  it('lets plugins without permissions read code, write only into the temporary folder, and start no program', () => {
    const { flags, hosts } = sandboxOf(nothing, nothing);
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
    const reads = sandboxOf(nothing, { ...nothing, fs: 'input-only' }).flags.filter((flag) => flag.includes('fs-read'));
    expect(reads).toEqual(['--allow-fs-read=*']);
  });

  it('grants the process the union of its plugins’ permissions', () => {
    const { flags, hosts } = sandboxOf(
      { fs: 'data-dir', net: ['a.example', 'b.example'], spawn: [] },
      { fs: 'none', net: ['b.example'], spawn: ['pandoc'] },
    );
    expect(flags).toContain('--allow-fs-read=/data');
    expect(flags).toContain('--allow-fs-write=/data');
    expect(flags).toContain('--allow-child-process');
    expect(hosts).toEqual(['a.example', 'b.example']);
  });
});
