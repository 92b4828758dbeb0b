import type { App, ConfigEntry, ConfigRequest } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { configEntry } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

async function run(line: readonly string[], entry: Partial<ConfigEntry> = {}) {
  const asked: ConfigRequest[] = [];
  const app: Partial<App> = {
    config: async (request) => {
      asked.push(request);
      return { ...configEntry, ...entry };
    },
  };
  const { stdout } = await runCommand(['config', ...line], { app });
  return { asked, text: stdout.text };
}

describe('kebab config get', () => {
  it('prints the bare value, for scripts', async () => {
    expect(await run(['get', 'search.default_k'])).toEqual({
      asked: [{ kind: 'get', key: 'search.default_k' }],
      text: '7\n',
    });
    expect((await run(['get', 'x'], { value: 'a b' })).text).toBe('a b\n');
    expect((await run(['get', 'x'], { value: ['a'] })).text).toBe('["a"]\n');
    expect((await run(['get', 'x'], { value: null })).text).toBe('\n');
  });
});

describe('kebab config set', () => {
  it('passes every word on, and shows the value in the file and what overrides it', async () => {
    expect(await run(['set', 'workspace.include', 'a b', 'c'])).toEqual({
      asked: [{ kind: 'set', key: 'workspace.include', values: ['a b', 'c'] }],
      text:
        'search.default_k = 20  (~/.config/kebab/config.toml)\n' +
        'KEBAB_SEARCH_DEFAULT_K takes precedence: 7 is in effect\n',
    });
  });

  it('reports that a file must be trusted, that the value was already set, and errors elsewhere', async () => {
    const own = { value: 20, origin: 'file', path: configEntry.file, overridden_by: null } as const;
    expect((await run(['set', 'x', '1'], { ...own, needs_trust: true })).text).toContain('kebab trust ~/.config');
    expect((await run(['set', 'x', '1'], { ...own, changed: false })).text).toContain('config.toml, as before)');
    expect((await run(['set', 'x', '1'], { ...own, problem: 'too few' })).text).toContain(
      'cannot be used yet: too few',
    );
  });
});

describe('kebab config unset', () => {
  it.each([
    [true, 'is no longer set'],
    [false, 'was not set'],
  ])('shows the value now in effect, and whether anything changed (%s)', async (changed, what) => {
    const { written: _written, ...rest } = configEntry;
    const app: Partial<App> = {
      config: async () => ({ ...rest, changed, value: 10, origin: 'default', overridden_by: null }),
    };
    const { stdout } = await runCommand(['config', 'unset', 'search.default_k'], { app });
    expect(stdout.text).toBe(`search.default_k ${what} in ~/.config/kebab/config.toml\n10 is in effect, the default\n`);
  });
});
