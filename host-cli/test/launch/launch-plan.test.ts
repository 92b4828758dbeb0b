import type { Open } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { launchPlan } from '../../src/launch/launch-plan.ts';

function planFor(
  place: Partial<Open>,
  {
    platform = 'linux',
    env = {},
  }: { readonly platform?: NodeJS.Platform; readonly env?: Readonly<Record<string, string>> } = {},
): readonly string[] {
  const whole: Open = {
    ...{ schema_version: 'open.v1', path: '/kb/a b.md', line: 12, page: null, uri: 'a b.md#L12', freshness: 'fresh' },
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
  ])('tells %s of the line in its own way', (EDITOR, plan) => {
    expect(planFor({}, { env: { EDITOR } })).toEqual(['editor', ...plan]);
  });

  it.each([
    ['linux', '/kb/a.pdf', ['xdg-open']],
    ['freebsd', '/kb/b.PNG', ['xdg-open']],
    ['darwin', '/kb/a.pdf', ['open']],
    ['win32', '/kb/b.tiff', ['explorer.exe']],
  ] as const)('shows pages and images on %s in the viewer of the system', (platform, path, plan) => {
    const options = { platform, env: { EDITOR: 'vi' } };
    expect(planFor({ path, line: null }, options)).toEqual(['viewer', ...plan, path]);
  });

  it.each([
    ['linux', ['xdg-open']],
    ['darwin', ['open', '-t']],
    ['win32', ['notepad.exe']],
  ] as const)('opens text on %s without an editor of its own in one that does not run it', (platform, plan) => {
    const path = '/kb/script.js';
    expect(planFor({ path }, { platform })).toEqual(['viewer', ...plan, path]);
  });
});
