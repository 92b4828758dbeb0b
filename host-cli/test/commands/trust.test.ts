import type { App } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { configPaths, trustReport } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab trust', () => {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    configPaths: async () => configPaths,
    trust: async (request) => {
      asked.push(request);
      return trustReport;
    },
  };

  it.each([
    [[], { kind: 'add', path: '/home/ada/kb/kebab.toml' }],
    [['x/kebab.json'], { kind: 'add', path: '/work-folder/x/kebab.json' }],
    [['--revoke'], { kind: 'revoke', path: '/home/ada/kb/kebab.toml' }],
    [['--list'], { kind: 'list' }],
  ])('passes the arguments %j to the App', async (flags, request) => {
    const { code } = await runCommand(['trust', ...flags, '--json'], { app });
    expect([code, asked.at(-1)]).toEqual([0, request]);
  });

  it('fails with a hint about the missing argument if there is no project file', async () => {
    const nowhere = { ...app, configPaths: async () => ({ ...configPaths, config_files: [] }) };
    const { code, stderr } = await runCommand(['trust', '--json'], { app: nowhere });
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'invalid_input', details: { field: 'PATH' } }]]);
  });
});
