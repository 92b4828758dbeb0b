import type { App, ResetScope } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { configPaths, resetReport } from '../examples.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

async function reset(flags: readonly string[], { project, ...test }: CommandTest & { readonly project?: string } = {}) {
  const scopes: ResetScope[] = [];
  const app: Partial<App> = {
    configPaths: async () => ({ ...configPaths, ...(project === undefined ? {} : { project }) }),
    reset: async (scope) => {
      scopes.push(scope);
      return { ...resetReport, scope };
    },
  };
  return { scopes, ...(await runCommand(['reset', ...flags], { app, ...test })) };
}

describe('kebab reset', () => {
  it.each([
    [[], 'data_only'],
    [['--all'], 'all'],
    [['--vector-only'], 'vector_only'],
    [['--config-only'], 'config_only'],
    [['--orphans-only'], 'orphans_only'],
  ])('with %j resets %s', async (flags, scope) => {
    expect((await reset([...flags, '--yes', '--json'])).scopes).toEqual([scope]);
  });

  it('names the project in its question', async () => {
    const { stderr } = await reset(['--all'], {
      columns: 80,
      stdin: ['n\n'],
      stdinIsTerminal: true,
      project: '/srv/app',
    });
    expect(stderr.text).toMatch(
      /^Remove all that kebab made in \.kebab\/\? This concerns \/srv\/app alone\. \[y\/N\] /,
    );
  });

  it('refuses two scopes at once', async () => {
    const { code, scopes } = await reset(['--all', '--data-only', '--yes']);
    expect([code, scopes]).toEqual([2, []]);
  });

  it.each([
    ['y\n', ['data_only']],
    ['YES\n', ['data_only']],
    ['\n', []],
    ['n\n', []],
  ])('asks on a terminal, and follows the answer %j', async (answer, done) => {
    const { code, scopes, stderr } = await reset([], { columns: 80, stdin: [answer], stdinIsTerminal: true });
    expect([code, scopes]).toEqual([0, done]);
    expect(stderr.text).toMatch(/^Remove .*\? \[y\/N\] /);
  });

  it('is rejected without --yes if there is no terminal', async () => {
    for (const test of [{}, { columns: 80 }, { stdinIsTerminal: true }]) {
      const { code, scopes } = await reset([], test);
      expect([code, scopes]).toEqual([2, []]);
    }
  });

  it.each([
    [['--config-only'], 'kebab reset --config-only --yes'],
    [['--all', '--json'], 'kebab reset --all --json --yes'],
    [['--config', 'my notes.toml', '--vector-only'], "kebab reset --config 'my notes.toml' --vector-only --yes"],
    [['--orphans-only', '--'], 'kebab reset --orphans-only --yes --'],
  ])('with %j suggests the same line with --yes', async (flags, line) => {
    const { code, stderr } = await reset(flags);
    expect(code).toBe(2);
    expect(stderr.text).toContain(`run \`${line}\` if you mean it`);
  });
});
