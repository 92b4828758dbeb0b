import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Open } from '@kebab/core/app';
import { afterAll, describe, expect, it } from 'vitest';
import { launchPlan, launchProgram } from '../../src/io/launch.ts';

function planFor(
  place: Partial<Open>,
  {
    platform = 'linux',
    env = {},
  }: { readonly platform?: NodeJS.Platform; readonly env?: Readonly<Record<string, string>> } = {},
): readonly string[] {
  const whole: Open = {
    schema_version: 'open.v1',
    path: '/kb/a b.md',
    line: 12,
    page: null,
    uri: 'a b.md#L12',
    freshness: 'fresh',
    ...place,
  };
  const { command, args, isEditor } = launchPlan(whole, { platform, variable: (name) => env[name] });
  return [isEditor ? 'editor' : 'viewer', command, ...args];
}

describe('launchPlan', () => {
  it('opens text at its line, in VISUAL before EDITOR', () => {
    const env = { VISUAL: 'gvim -f', EDITOR: 'vi' };
    expect(planFor({}, { env })).toEqual(['editor', 'gvim', '-f', '+12', '/kb/a b.md']);
    expect(planFor({}, { env: { VISUAL: ' ', EDITOR: 'vi' } })).toEqual(['editor', 'vi', '+12', '/kb/a b.md']);
    expect(planFor({ line: null }, { env: { EDITOR: 'vi' } })).toEqual(['editor', 'vi', '/kb/a b.md']);
  });

  it.each([
    ['code --wait', ['code', '--wait', '--goto', '/kb/a b.md:12']],
    ['/usr/local/bin/cursor', ['/usr/local/bin/cursor', '--goto', '/kb/a b.md:12']],
    ['subl -w', ['subl', '-w', '/kb/a b.md:12']],
    ['nano', ['nano', '+12', '/kb/a b.md']],
  ])('opens %s at the line with its own argument', (EDITOR, plan) => {
    expect(planFor({}, { env: { EDITOR } })).toEqual(['editor', ...plan]);
  });

  it.each([
    ['linux', '/kb/a.pdf', ['xdg-open']],
    ['freebsd', '/kb/b.PNG', ['xdg-open']],
    ['darwin', '/kb/a.pdf', ['open']],
    ['win32', '/kb/b.tiff', ['explorer.exe']],
  ] as const)("opens pages and images on %s in the system's viewer", (platform, file, plan) => {
    const options = { platform, env: { EDITOR: 'vi' } };
    expect(planFor({ path: file, line: null }, options)).toEqual(['viewer', ...plan, file]);
  });

  it.each([
    ['linux', ['xdg-open']],
    ['darwin', ['open', '-t']],
    ['win32', ['notepad.exe']],
  ] as const)('opens text on %s, if no editor is set, in one that does not execute it', (platform, plan) => {
    const file = '/kb/script.js';
    expect(planFor({ path: file }, { platform })).toEqual(['viewer', ...plan, file]);
  });
});

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-launch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('launchProgram', () => {
  it('starts a program with unchanged arguments, without a shell', async () => {
    const file = path.join(folder, '$(touch x); "a" b.md');
    writeFileSync(file, 'text');
    const written = path.join(folder, 'written');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(written)}, process.argv[1])`;
    const plan = { command: process.execPath, args: ['-e', script, file], isEditor: false };
    await launchProgram(plan, file, { hasTerminal: false });
    const read = (): string => (existsSync(written) ? readFileSync(written, 'utf8') : '');
    await expect.poll(read, { timeout: 30_000 }).toBe(file);
  });

  it('starts nothing for a file that is gone', async () => {
    const file = path.join(folder, 'gone.md');
    const plan = { command: process.execPath, args: ['--version'], isEditor: false };
    await expect(launchProgram(plan, file, { hasTerminal: false })).rejects.toMatchObject({
      code: 'ENOENT',
      path: file,
    });
  });

  it.each([true, false])('says what to do if the program does not exist (editor: %s)', async (isEditor) => {
    const plan = { command: 'no-such-program-of-kebab', args: [folder], isEditor };
    await expect(launchProgram(plan, folder, { hasTerminal: true })).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: '--launch', value: 'no-such-program-of-kebab' },
      hint: expect.stringContaining('EDITOR'),
    });
  });
});

describe('launchPlan without a terminal', () => {
  it.each<[string, string, readonly string[]]>([
    ['an editor with windows', 'code --wait', ['code', '--wait', '--goto', '/kb/a.md:3']],
    ['one that needs a terminal', 'vim', ['xdg-open', '/kb/a.md']],
    ['one by its path', '/usr/bin/nano', ['xdg-open', '/kb/a.md']],
    ['one that is told to stay in the terminal', 'emacsclient -t', ['xdg-open', '/kb/a.md']],
    ['no editor', '', ['xdg-open', '/kb/a.md']],
  ])('opens text with %s', (_, EDITOR, plan) => {
    const place = { schema_version: 'open.v1', path: '/kb/a.md', line: 3, page: null, uri: 'a.md#L3' } as const;
    const variable = (name: string): string | undefined => (name === 'EDITOR' ? EDITOR : undefined);
    const { command, args } = launchPlan(
      { ...place, freshness: 'fresh' },
      { platform: 'linux', variable, hasTerminal: false },
    );
    expect([command, ...args]).toEqual(plan);
  });
});
