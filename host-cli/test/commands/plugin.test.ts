import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pluginList } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

const notices = [
  { kind: 'plugin', text: 'plugin kebab-plugin-gone does not run: Cannot find package' },
  { kind: 'configuration', text: 'plugins in kebab.toml is ignored' },
] as const;

describe('kebab plugin list', () => {
  it('lists an active built-in plugin on one line, without its origin and state', async () => {
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

describe('kebab plugin new', () => {
  it('leaves a folder that is not empty alone, and says what to do', async () => {
    const cwd = mkdtempSync(path.join(tmpdir(), 'kebab-new-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    mkdirSync(path.join(cwd, 'kebab-plugin-epub', 'src'), { recursive: true });
    const { code, stderr } = await runCommand(['plugin', 'new', 'epub', '--kind', 'extractor', '--json'], { cwd });
    expect(code).toBe(2);
    expect(stderr.json).toMatchObject([{ hint: 'choose another name, or move that folder away' }]);
  });
});
