import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configView } from '../../src/config/annotated-config.ts';
import { bundledKeys } from './bundled-keys.ts';
import { ConfigWorld } from './config-world.ts';

let world: ConfigWorld;
beforeEach(() => {
  world = new ConfigWorld();
});
afterEach(() => world.remove());

const JOURNAL = {
  name: 'journal',
  doc: 'Journals.',
  keys: {
    max_depth: { kind: 'int', default: 3, min: 1, max: 9, doc: 'How deep.' },
    label: { kind: 'text', default: 'a', pattern: '^[a-z]+$', doc: 'What they are called.' },
    token: { kind: 'text', secret: true, doc: 'Opens them.' },
  },
};

/** Installs a package into kebab's own plugin folder, or writes one elsewhere; its code is never run here. */
function install(section: unknown = JOURNAL, name = 'kebab-plugin-journal', folder?: string): string {
  const place = folder ?? path.join(world.home, '.local/share/kebab/plugins/node_modules', name);
  const kebab = { apiVersion: 1, contributes: { hook: ['journal'] }, section };
  world.write(path.join(place, 'package.json'), JSON.stringify({ name, version: '1.0.0', kebab }));
  world.write(path.join(place, 'index.js'), `throw new Error('its code ran');`);
  return place;
}

describe('the section of an installed plugin', () => {
  it('is read from the file, the environment and the defaults like a built-in one, without running its code', async () => {
    install();
    world.write(world.userFile, 'plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\ntoken = "t0p"\n');
    const resolution = await world.resolve({ env: { KEBAB_JOURNAL_LABEL: 'diary' } });
    expect(resolution.config).toMatchObject({ journal: { maxDepth: 5, label: 'diary', token: 't0p' } });
    expect(configView(resolution).entries.filter(({ key }) => key.startsWith('journal.'))).toEqual([
      { key: 'journal.max_depth', value: 5, origin: 'file', path: world.userFile },
      { key: 'journal.label', value: 'diary', origin: 'env' },
      { key: 'journal.token', value: '***', origin: 'file', path: world.userFile },
    ]);
    expect(resolution.notices).toEqual([]);
  });

  it.each([
    ['an unknown key', 'max_dept = 5', 'journal.max_dept: unknown key; did you mean journal.max_depth?'],
    ['a value out of bounds', 'max_depth = 10', 'journal.max_depth: must be a whole number from 1 to 9, not 10'],
    [
      'a text that does not match its pattern',
      'label = "A"',
      'journal.label: must be a text that matches ^[a-z]+$, not "A"',
    ],
  ])('reports %s as for a built-in plugin', async (_what, line, message) => {
    install();
    world.write(world.userFile, `plugins = ["kebab-plugin-journal"]\n[journal]\n${line}\n`);
    expect((await world.failure()).message).toBe(`${world.userFile}: ${message}`);
  });

  it.each<[string, string, Readonly<Record<string, string>>]>([
    ['is disabled', 'plugins = [{ name = "kebab-plugin-journal", enabled = false }]', {}],
    ['is left out by KEBAB_PLUGINS=none', 'plugins = ["kebab-plugin-journal"]', { KEBAB_PLUGINS: 'none' }],
    ['is named only by the environment', '', { KEBAB_PLUGINS: 'kebab-plugin-journal' }],
  ])('stays valid when the plugin %s', async (_how, plugins, env) => {
    install();
    world.write(world.userFile, `${plugins}\n[journal]\nmax_depth = 5\n`);
    expect((await world.resolve({ env })).config).toMatchObject({ journal: { maxDepth: 5 } });
  });

  it('is read for a plugin that a flag names by its path', async () => {
    install(JOURNAL, 'kebab-plugin-journal', path.join(world.cwd, 'own'));
    world.write(world.userFile, '[journal]\nmax_depth = 5\n');
    expect((await world.resolve({ flags: { plugins: ['own'] } })).config).toMatchObject({ journal: { maxDepth: 5 } });
  });

  it('is an unknown key when the plugin is not installed, and the message names the plugin', async () => {
    world.write(world.userFile, 'plugins = ["kebab-plugin-journal"]\n[journal]\nmax_depth = 5\n');
    expect((await world.failure()).message).toMatch(
      /: journal: unknown key, unless it is of a plugin that cannot be read: kebab-plugin-journal \(Cannot find package/,
    );
  });
});

describe('the section of a plugin that a project file names', () => {
  const text = 'plugins = ["./own"]\n[journal]\nmax_depth = 5\n';

  it('has no effect while the file is not trusted, and is not reported as a mistake', async () => {
    install(JOURNAL, 'kebab-plugin-journal', path.join(world.project, 'own'));
    const file = world.write('kebab.toml', text);
    const { config, files, keys } = await world.resolve();
    expect(config).not.toHaveProperty('journal');
    expect(keys.keys.map(({ name }) => name)).not.toContain('journal.max_depth');
    expect(files[1]).toEqual({ path: file, trusted: false, exists: true, ignored: ['plugins', 'journal.max_depth'] });
  });

  it('takes effect once the file is trusted', async () => {
    install(JOURNAL, 'kebab-plugin-journal', path.join(world.project, 'own'));
    await world.writeTrusted('kebab.toml', text);
    expect((await world.resolve()).config).toMatchObject({ journal: { maxDepth: 5 } });
  });

  it('may not be set by an untrusted file either when the user enables the plugin', async () => {
    install();
    world.write(world.userFile, 'plugins = ["kebab-plugin-journal"]\n');
    world.write('kebab.toml', '[journal]\nmax_depth = 5\n');
    const { config, files } = await world.resolve();
    expect(config).toMatchObject({ journal: { maxDepth: 3 } });
    expect(files[1]?.ignored).toEqual(['journal.max_depth']);
  });

  it('runs no pattern of a plugin before its file is trusted', async () => {
    const label = { ...JOURNAL.keys.label, pattern: '^never$' };
    install({ ...JOURNAL, keys: { label } }, 'kebab-plugin-journal', path.join(world.project, 'own'));
    world.write('kebab.toml', 'plugins = ["./own"]\n[journal]\nlabel = "x"\n');
    expect((await world.resolve()).files[1]?.ignored).toEqual(['plugins', 'journal.label']);
  });
});

describe('an unusable section', () => {
  const keys = { api_key: { kind: 'text', default: '', doc: 'Key.' } };

  it.each<[string, unknown, string]>([
    [
      'the name of a table of kebab',
      { ...JOURNAL, name: 'search' },
      'search of the configuration is already used by search',
    ],
    ['the name of a built-in plugin’s', { ...JOURNAL, name: 'pdf' }, 'pdf of the configuration is already used by pdf'],
    ['a nonexistent table', { ...JOURNAL, name: 'wiki.inner' }, 'there is no table wiki for wiki.inner'],
    [
      'the variable of another key, which may hold a secret',
      { name: 'models_llm', doc: 'Models.', keys },
      'models_llm of the configuration is already used by models.llm',
    ],
    [
      'a variable with another meaning',
      { ...JOURNAL, name: 'mcp_token' },
      'KEBAB_MCP_TOKEN has another meaning already',
    ],
    [
      'a default outside its own bounds',
      { ...JOURNAL, keys: { depth: { kind: 'int', default: 0, min: 1, doc: 'Depth.' } } },
      'built-in default: journal.depth: must be a whole number from 1, not 0',
    ],
  ])('is rejected when it takes %s', async (_what, section, reason) => {
    install(section);
    world.write(world.userFile, 'plugins = ["kebab-plugin-journal"]\n');
    const { keys: table, refusedSections } = await world.resolve();
    expect([...refusedSections]).toEqual([['kebab-plugin-journal', reason]]);
    expect(table.keys).toEqual(bundledKeys.keys);
  });
});
