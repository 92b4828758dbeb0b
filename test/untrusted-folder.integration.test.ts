import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../host-cli/src/cli/command-table.ts';
import { buildCli, finished, jsonLines, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';

/** Built-in plugins that every command, or every ingest, loads. */
const NAMES = ['@kebab/plugin-md', '@kebab/plugin-store-sqlite', '@kebab/plugin-plain-text', 'kebab-plugin-evil'];
const PROJECT_FILES = {
  'kebab.json': JSON.stringify({ plugins: NAMES, storage: { sqlite: './evil.sqlite' } }),
  '.kebab/config.toml': `plugins = ${JSON.stringify(NAMES)}\n[storage]\nsqlite = "../evil.sqlite"\n`,
} as const;
/** Values for the arguments of commands; only the plugin commands are meant to run what they name. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  FOLDER: '.',
  PATH: 'notes.md',
  CLIENT: 'cursor',
  SHELL: 'bash',
  START: '1',
  END: '2',
  KEY: 'search.snippet_chars',
  VALUE: '200',
};
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  reset: ['--orphans-only', '--yes'],
  'ingest-stdin': ['--title', 'x'],
  snap: ['--out', 'x.png'],
  ui: ['--no-open'],
};

let cli: BuiltCli;
let home: CliHome;

beforeAll(async () => {
  cli = await buildCli();
  home = cli.newHome();
  home.write('tea.md', '# Tea\n\nGreen tea is steeped at eighty degrees.\n');
  const { code, stderr } = await cli.run(['ingest', '--quiet'], { home });
  if (code !== 0) throw new Error(stderr);
}, 120_000);
afterAll(() => cli.remove());

/** A folder as it might be cloned: a project file, and packages in its own node_modules that leave a mark when they run. */
function hostileFolder(projectFile: keyof typeof PROJECT_FILES): { readonly folder: string; readonly mark: string } {
  const folder = path.join(home.folder, `clone-${projectFile.replace('/', '-')}`);
  const mark = path.join(folder, 'IT-RAN');
  const contributes = { extractor: ['md'], document_store: ['sqlite'], retriever: ['x'], hook: ['x'], embedder: ['x'] };
  for (const name of NAMES) {
    const place = path.join(folder, 'node_modules', name);
    mkdirSync(place, { recursive: true });
    const kebab = { apiVersion: 1, contributes, permissions: { fs: 'none', net: [], spawn: [] } };
    writeFileSync(
      path.join(place, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js', kebab }),
    );
    writeFileSync(
      path.join(place, 'index.js'),
      `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mark)}, 'ran');\nexport default {};\n`,
    );
  }
  if (projectFile.startsWith('.kebab/')) plantKnowledgeBase(path.join(folder, '.kebab'));
  writeFileSync(path.join(folder, projectFile), PROJECT_FILES[projectFile]);
  writeFileSync(path.join(folder, 'notes.md'), '# Notes\n');
  return { folder, mark };
}

/** Writes the files that `kebab init` would create in a project on another machine. */
function plantKnowledgeBase(kebab: string): void {
  mkdirSync(kebab, { recursive: true });
  writeFileSync(path.join(kebab, 'id'), `${'1'.repeat(32)}\n`);
  writeFileSync(path.join(kebab, '.gitignore'), '');
  copyFileSync(path.join(home.env['XDG_DATA_HOME'] ?? '', 'kebab', 'kebab.sqlite'), path.join(kebab, 'kebab.sqlite'));
}

/** Commands that run until stopped; `mcp` has its own test. */
const ENDLESS: readonly string[] = ['serve', 'ui', 'watch'];
/** How long such a command runs: it has loaded its plugins and read the notes long before. */
const ENDLESS_MS = 3000;
const COMMAND_LINES = COMMANDS.filter(({ name }) => name !== 'mcp').map(({ name, args = [] }) => [
  ...name.split(' '),
  ...args.filter(({ required }) => required).map((argument) => ARGUMENTS[argument.name] ?? 'tea'),
  ...(FLAGS[name] ?? []),
]);

/** Runs a command to its end, or until it is stopped. */
async function runFor(line: readonly string[], folder: string): Promise<void> {
  const child = cli.start(line, { home, cwd: folder, env: { KEBAB_MODELS_HUB: 'http://127.0.0.1:9' } });
  const isEndless = line.some((word) => ENDLESS.includes(word));
  const stop = isEndless ? setTimeout(() => child.kill('SIGTERM'), ENDLESS_MS) : undefined;
  await finished(child, '');
  clearTimeout(stop);
}

describe.each(['kebab.json', '.kebab/config.toml'] as const)('a folder that is not trusted, with %s', (projectFile) => {
  it('runs none of its code, and creates or replaces no database in it, for any command', async () => {
    const { folder, mark } = hostileFolder(projectFile);
    const database = readFileSync(path.join(home.env['XDG_DATA_HOME'] ?? '', 'kebab', 'kebab.sqlite'));
    const lines = COMMAND_LINES.filter(([first]) => first !== 'trust' && first !== 'reset' && first !== 'mcp');
    expect(lines.length).toBeGreaterThan(30);
    for (const line of lines)
      for (const readonly of projectFile === 'kebab.json' ? [[]] : [['--readonly']]) {
        await runFor([...readonly, ...line], folder);
        expect([line.join(' '), existsSync(mark)]).toEqual([line.join(' '), false]);
      }
    expect(existsSync(path.join(folder, 'evil.sqlite'))).toBe(false);
    const found = await cli.run(['search', 'eighty degrees', '--json'], { home, cwd: folder });
    expect(JSON.parse(found.stdout)).toMatchObject({ hits: [{ doc_path: 'tea.md' }] });
    expect(found.stderr).not.toContain('IT-RAN');
    const planted = path.join(folder, '.kebab', 'kebab.sqlite');
    if (existsSync(planted)) expect(readFileSync(planted)).toEqual(database);
  }, 240_000);

  it('lets an MCP host use only the tools of the built-in plugins', async () => {
    const { folder, mark } = hostileFolder(projectFile);
    const outside = path.join(home.folder, 'secret.md');
    writeFileSync(outside, '# Secret\n');
    const clientInfo = { name: 'test', version: '1' };
    const requests = [
      { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
      { method: 'notifications/initialized' },
      { id: 2, method: 'resources/list' },
      { id: 3, method: 'tools/call', params: { name: 'search', arguments: { query: 'eighty degrees' } } },
      { id: 4, method: 'tools/call', params: { name: 'ingest_file', arguments: { path: outside } } },
    ];
    const stdin = requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('');
    const { stdout } = await cli.run(['mcp'], { home, cwd: folder, stdin });
    expect(jsonLines(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          id: 2,
          result: expect.objectContaining({ resources: expect.anything() as unknown }),
        }),
        expect.objectContaining({
          id: 3,
          result: expect.objectContaining({
            structuredContent: expect.objectContaining({
              hits: [expect.objectContaining({ uri: expect.stringMatching(/^tea\.md#/) as string })],
            }),
          }) as unknown,
        }),
        expect.objectContaining({ id: 4, result: expect.objectContaining({ isError: true }) as unknown }),
      ]),
    );
    expect(existsSync(mark)).toBe(false);
  }, 60_000);

  it('is not searched for packages named in KEBAB_PLUGINS', async () => {
    const { folder, mark } = hostileFolder(projectFile);
    const env = { KEBAB_PLUGINS: NAMES.join(',') };
    const { stderr } = await cli.run(['search', 'tea'], { home, cwd: folder, env });
    expect(stderr).toContain('kebab-plugin-evil does not run');
    expect(existsSync(mark)).toBe(false);
  }, 60_000);
});

describe('a built-in plugin that the user names', () => {
  it('is the built-in one, which can be disabled', async () => {
    const own = cli.newHome();
    own.write('tea.md', '# Tea\n');
    own.write('tea.txt', 'tea\n');
    const env = { KEBAB_PLUGINS: '[{"name": "@kebab/plugin-md", "enabled": false}, "@kebab/plugin-plain-text"]' };
    const report = await finished(cli.start(['ingest', '--json', '--summary-only'], { home: own, env }), '');
    expect(report.stdout).toContain('"new":1');
    const list = await cli.run(['plugin', 'list', '--json'], { home: own, env });
    const { plugins } = JSON.parse(list.stdout) as { readonly plugins: readonly { name: string; state: string }[] };
    const states = plugins.filter(({ name }) => NAMES.includes(name)).map(({ name, state }) => `${name} ${state}`);
    expect(states).toEqual([
      '@kebab/plugin-plain-text active',
      '@kebab/plugin-store-sqlite active',
      '@kebab/plugin-md disabled',
    ]);
  }, 60_000);
});
