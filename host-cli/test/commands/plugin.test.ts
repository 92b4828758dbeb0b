import { describe, expect, it } from 'vitest';
import { pluginList } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

const notices = [
  { kind: 'plugin', text: 'plugin kebab-plugin-gone does not run: Cannot find package' },
  { kind: 'configuration', text: 'plugins in kebab.toml is ignored' },
] as const;

describe('kebab plugin list', () => {
  it('says of built-in plugins that run no more than that they do, so that a line holds one', async () => {
    const plugins = ['md', 'embed-transformers'].flatMap((name) =>
      pluginList.plugins.slice(0, 1).map((plugin) => ({ ...plugin, name: `@kebab/plugin-${name}` })),
    );
    const app = { pluginList: async () => ({ ...pluginList, plugins }) };
    expect((await runCommand(['plugin', 'list'], { app })).stdout.text).toBe(
      '✓ @kebab/plugin-md 0.1.0                  extractor, chunker  fs none\n' +
        '✓ @kebab/plugin-embed-transformers 0.1.0  extractor, chunker  fs none\n',
    );
  });

  it('reports why a plugin does not run only in the list, without a notice', async () => {
    const app = { notices, pluginList: async () => pluginList };
    const { code, stdout, stderr } = await runCommand(['plugin', 'list'], { app });
    expect(code).toBe(0);
    expect(stdout.text).toContain('Cannot find package');
    expect(stderr.text).toBe('notice: plugins in kebab.toml is ignored\n');
  });
});
