import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseWire } from '../core/test/wire/parse-wire.ts';
import { buildCli, jsonLines, type BuiltCli, type CliHome, type CliRun } from '../host-cli/test/fakes/built-cli.ts';

let cli: BuiltCli;
let home: CliHome;

beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli.remove());
beforeEach(() => {
  home = cli.newHome();
});

/** A registry address where nothing listens: everything here works offline. */
const OFFLINE = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' };

function run(line: readonly string[], cwd = home.folder): Promise<CliRun> {
  const env = { ...OFFLINE, npm_config_cache: path.join(home.folder, 'npm') };
  return cli.run(line, { home, cwd, env });
}

async function change(...line: string[]) {
  const { code, stdout, stderr } = await run([...line, '--json']);
  expect([code, stderr]).toEqual([0, '']);
  return parseWire('plugin_change', jsonLines(stdout)[0]);
}

/** The package of a plugin that reads files ending in `.note` as a paragraph, and imports kebab as plugins do. */
function writePlugin(version: string, more: Record<string, unknown> = {}): string {
  const folder = path.join(home.folder, 'my-plugin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({
      name: 'kebab-plugin-note',
      version,
      type: 'module',
      exports: './index.js',
      keywords: ['kebab-plugin'],
      peerDependencies: { '@kebab/core': '^0.1.0' },
      kebab: { apiVersion: 1, contributes: { extractor: ['note'] }, permissions: { fs: 'none', net: ['x.example'] } },
      ...more,
    }),
  );
  writeFileSync(
    path.join(folder, 'index.js'),
    `import { decodeText, definePlugin, paragraphsOf } from '@kebab/core';
    const note = {
      id: 'note',
      version: '1',
      match: { extensions: ['note'] },
      isolation: 'worker',
      supports: (media) => media.kind === 'other' && media.ext === 'note',
      parserVersion: () => 'note-v1',
      chunkerId: () => 'md-heading-v1',
      extract: async ({ bytes }) => {
        const { text, warnings } = await decodeText(bytes);
        const blocks = paragraphsOf(text).map(({ start, end, firstLine, lastLine }) => ({
          kind: 'paragraph', start, end, headingPath: [], sourceSpan: { kind: 'line', start: firstLine, end: lastLine },
        }));
        return { text, warnings, blocks };
      },
    };
    export default definePlugin({ contributes: { extractor: { note: () => note } } });
`,
  );
  return folder;
}

const plugins = (...more: string[]): string => path.join(home.env['XDG_DATA_HOME'] ?? '', 'kebab', 'plugins', ...more);
const listed = async (): Promise<string> => (await run(['plugin', 'list'])).stdout;

// Each test starts npm and kebab several times, on a machine that may be busy.
describe('kebab plugin install', { timeout: 120_000 }, () => {
  it('installs a folder offline, and the plugin runs from any directory with kebab’s own core', async () => {
    const installed = await change('plugin', 'install', writePlugin('1.0.0'), '--yes');
    expect(installed).toMatchObject({ action: 'installed', name: 'kebab-plugin-note', version: '1.0.0', hint: null });
    expect(readFileSync(installed.config_file ?? '', 'utf8')).toContain('\nplugins = ["kebab-plugin-note"]\n');
    expect(await listed()).toMatch(/✓ kebab-plugin-note 1\.0\.0 +package +extractor +fs none, net x\.example/);
    const core = path.join(installed.folder ?? '', 'node_modules', '@kebab', 'core');
    expect(lstatSync(core).isSymbolicLink()).toBe(true);
    const locked = JSON.parse(readFileSync(plugins('kebab-plugins.lock.json'), 'utf8'));
    expect(locked.plugins['kebab-plugin-note']).toMatchObject({
      version: '1.0.0',
      integrity: expect.stringMatching(/^sha512-/),
      permissions: { net: ['x.example'] },
    });

    home.write('a.note', 'The lighthouse keeper sleeps.\n');
    expect(await run(['ingest', '--quiet'], '/')).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['search', 'lighthouse', '-l'], '/')).stdout).toMatch(/\ba\.note\n$/);
    const tested = await run(['plugin', 'test', 'kebab-plugin-note'], '/');
    expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining('kebab-plugin-note@1.0.0: ')]);
  });

  it('is rejected with the mistake in its package.json', async () => {
    const kebab = { apiVersion: 1, contribute: { extractor: ['note'] } };
    const refused = await run(['plugin', 'install', writePlugin('1.0.0', { kebab }), '--yes']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'kebab-plugin-note cannot be used: its package.json contributes nothing: "contributes"',
    );
    expect(refused.stderr).toContain('hint: nothing was installed; report it to its author');
  });

  it('must be built first if its module is missing, as plugin doctor and plugin test say', async () => {
    const folder = writePlugin('1.0.0', { exports: './dist/index.js' });
    const missing = `Cannot find module '${path.join(folder, 'dist', 'index.js')}': build the package first`;
    const doctor = await run(['plugin', 'doctor', '--plugin', folder, '--json']);
    const { checks } = JSON.parse(doctor.stdout) as { readonly checks: readonly { readonly detail: string }[] };
    expect(checks.map(({ detail }) => detail)).toContainEqual(expect.stringContaining(missing));
    expect((await run(['plugin', 'test', folder])).stdout).toContain(missing);
  });

  it('keeps plugins working after kebab is moved, with the core of the running kebab', async () => {
    const { folder } = await change('plugin', 'install', writePlugin('1.0.0'), '--yes');
    const core = path.join(folder ?? '', 'node_modules', '@kebab', 'core');
    rmSync(core);
    symlinkSync(path.join(home.folder, 'where-kebab-was'), core, 'junction');
    home.write('a.note', 'The lighthouse keeper sleeps.\n');
    expect(await run(['ingest', '--quiet'])).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['search', 'lighthouse', '-l'])).stdout).toMatch(/\ba\.note\n$/);
  });

  it('shows what a plugin declares, and installs nothing without confirmation', async () => {
    const refused = await run(['plugin', 'install', writePlugin('1.0.0')]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('kebab-plugin-note 1.0.0  (extractor)');
    expect(refused.stderr).toContain('network   x.example');
    expect(refused.stderr).toContain('needs --yes where there is no terminal to ask on');
    expect(readdirSync(plugins('packages'))).toEqual([]);
    expect(await listed()).not.toContain('kebab-plugin-note');
  });

  it('keeps the installed plugin until its replacement is complete', async () => {
    await change('plugin', 'install', writePlugin('1.0.0'), '--yes');
    writePlugin('2.0.0', { dependencies: { 'kebab-no-such-package': '1.0.0' } });
    const failed = await run(['plugin', 'update', 'kebab-plugin-note', '--yes']);
    expect(failed.code).toBe(2);
    expect(failed.stderr).toContain('the npm registry cannot be reached (ECONNREFUSED)');
    writePlugin('2.0.0', { exports: './dist/index.js' });
    expect((await run(['plugin', 'update', 'kebab-plugin-note', '--yes'])).stderr).toContain('has no module to load');
    expect(await listed()).toContain('✓ kebab-plugin-note 1.0.0');

    writePlugin('2.0.0');
    const updated = await change('plugin', 'update', 'kebab-plugin-note', '--yes');
    expect(updated).toMatchObject({ action: 'updated', version: '2.0.0', previous: '1.0.0', config_file: null });
    expect(await change('plugin', 'update', 'kebab-plugin-note', '--yes')).toMatchObject({ action: 'unchanged' });
    expect(readdirSync(plugins('packages'))).toEqual([path.basename(updated.folder ?? '')]);
    expect(await listed()).toContain('✓ kebab-plugin-note 2.0.0');
  });

  it('refuses packages that are not plugins or do not exist', async () => {
    const stderrOf = async (...line: string[]): Promise<string> => (await run([...line, '--yes'])).stderr;
    const bare = writePlugin('1.0.0', { kebab: undefined });
    expect(await stderrOf('plugin', 'install', bare)).toContain('has no "kebab" member');
    const newer = writePlugin('1.0.0', { kebab: { apiVersion: 7 } });
    expect(await stderrOf('plugin', 'install', newer)).toContain('it was written for plugin API 7');
    expect(await stderrOf('plugin', 'install', './nowhere')).toContain('there is no');
    expect(await stderrOf('plugin', 'install', 'git+https://x.example/y.git')).toContain('is not a package name');
    expect((await run(['plugin', 'search', 'books'])).stderr).toContain('the npm registry cannot be reached');
    expect(await listed()).not.toContain('kebab-plugin-note');
  });

  it.each(['docs', 'word', 'left-pad', 'epub@1.0.0', 'constructor'])(
    'takes no package of the registry for the short name %s',
    async (name) => {
      const { code, stderr } = await run(['plugin', 'install', name, '--yes']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('kebab has no part named')]);
      expect(stderr).toContain(`kebab-plugin-${name.split('@')[0]}`);
    },
  );

  it('enables the formats of a checkout where they are, several at once, and names them for files that nothing reads', async () => {
    home.write('a.docx', 'x');
    home.write('b.eml', 'Subject: The quay\n\nThe crane stands.\n');
    home.write('c.eml', 'Subject: The pier\n\nGulls.\n');
    const before = await run(['ingest']);
    expect(before.stdout).toContain('3 files not read (docx, eml): kebab plugin install docx eml');
    const { code, stdout } = await run(['plugin', 'install', 'docx', 'eml', '--json']);
    expect([code, jsonLines(stdout).map((line) => parseWire('plugin_change', line).name)]).toEqual([
      0,
      ['@kebab/plugin-docx', '@kebab/plugin-eml'],
    ]);
    expect((await run(['ingest'])).stdout).not.toContain('not read');
    expect((await run(['search', 'crane', '-l'])).stdout).toMatch(/\/b\.eml\n$/);
    expect(await change('plugin', 'remove', 'eml', '--yes')).toMatchObject({ action: 'removed' });
  });

  it('looks for what is to be removed before it asks', async () => {
    const plugin = await run(['plugin', 'remove', 'kebab-plugin-note']);
    expect([plugin.code, plugin.stderr]).toEqual([2, expect.stringContaining('kebab-plugin-note is not installed')]);
    const part = await run(['plugin', 'remove', 'pdf', '--json']);
    const error = parseWire('error', jsonLines(part.stderr)[0]);
    expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('pdf is not installed') });
    expect(error.message).not.toContain('did you mean');
  });

  it('names the documents of a removed plugin in status and doctor, with the command that removes them', async () => {
    await change('plugin', 'install', writePlugin('1.0.0'), '--yes');
    home.write('a.note', 'The lighthouse keeper sleeps.\n');
    home.write('b.md', '# Harbour\n\nA crane.\n');
    await run(['ingest', '--quiet']);
    const unasked = await run(['plugin', 'remove', 'kebab-plugin-note']);
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      expect.stringContaining('plugin remove kebab-plugin-note needs --yes'),
    ]);
    expect(existsSync(plugins('node_modules', 'kebab-plugin-note'))).toBe(true);
    expect(await change('plugin', 'remove', 'kebab-plugin-note', '--yes')).toMatchObject({ action: 'removed' });
    expect(existsSync(plugins('node_modules', 'kebab-plugin-note'))).toBe(false);
    const told = '1 document has no plugin that reads them any more (a.note)';
    expect((await run(['status'])).stdout.replaceAll(/\s+/g, ' ')).toContain(told);
    expect((await run(['doctor'])).stdout).toContain(told);
    expect((await run(['search', 'lighthouse', '-l'])).stdout).toMatch(/\ba\.note\n$/);
    expect((await run(['reset', '--orphans-only', '--yes'])).stdout).toContain('a.note');
    expect((await run(['status'])).stdout).not.toContain('a.note');
    expect((await run(['search', 'crane', '-l'])).stdout).toMatch(/\/b\.md\n$/);
  });
});
