import { describe, expect, it } from 'vitest';
import { pluginList } from '../examples/reports.ts';
import { runCommand } from '../fakes/run-command.ts';

const notices = ['plugin kebab-plugin-gone does not run: Cannot find package', 'plugins in kebab.toml is ignored'];

describe('kebab plugin list', () => {
  it('tells how a plugin stands once: in the list, and not in a notice beside it', async () => {
    const app = { notices, pluginList: async () => pluginList };
    const { code, stdout, stderr } = await runCommand(['plugin', 'list'], { app });
    expect(code).toBe(0);
    expect(stdout.text).toContain('Cannot find package');
    expect(stderr.text).toBe('notice: plugins in kebab.toml is ignored\n');
  });
});
