import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packAll } from '../scripts/pack-packages.mjs';
import { LoopbackRegistry } from './loopback-registry.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const isBuilt = existsSync(path.join(root, 'host-cli', 'dist', 'bundle', 'main.cjs'));
const unless = isBuilt ? '' : ' (skipped: not built, run npm run build)';
/** Packages that a user and an author install, directly or indirectly. */
const INSTALLED = ['core', 'kits/plugin', 'host-cli'];
/** The environment variables that a program inherits: a new user has no others. */
const INHERITED = ['PATH', 'LANG', 'HTTPS_PROXY', 'NODE_EXTRA_CA_CERTS', 'npm_config_cafile'];
const PLUGIN = 'kebab-plugin-logbook';
const LOGBOOK =
  '== Harbour ==\nThe crane is painted green.\n\n== Lighthouse ==\nThe keeper winds the clockwork every evening.\n';

let registry: LoopbackRegistry;
let folder: string;
let home: string;
let env: Readonly<Record<string, string>>;
/** The folder of the global installation, and the program in it. */
let prefix: string;
let program: string;

/** Runs a line as typed by the user, and returns its output; of one that must fail, both outputs. */
function run(
  typed: string,
  args: readonly string[],
  { cwd = home, fails = false }: { readonly cwd?: string; readonly fails?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(typed, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if ((error !== null) === fails) resolve(fails ? `${stdout}${stderr}` : stdout);
      else reject(new Error(`${typed} ${args.join(' ')} ${fails ? 'did not fail' : 'failed'}:\n${stdout}${stderr}`));
    }).stdin?.end();
  });
}

const kebab = (...line: readonly string[]): Promise<string> => run(program, line);

/** Compiled code is taken from the repository: compiling SQLite takes minutes. From version 13 on it is part of the package. */
function takeCompiled(): void {
  const build = path.join('better-sqlite3', 'build', 'Release', 'better_sqlite3.node');
  const nested = path.join(prefix, 'lib', 'node_modules', '@kebab', 'cli', 'node_modules', build);
  const compiled = path.join(root, 'node_modules', build);
  if (existsSync(compiled)) cpSync(compiled, nested);
}

/** The total size of the files in a folder, in megabytes. */
function megabytesOf(place: string): number {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size / 1e6;
  return readdirSync(place).reduce((sum, name) => sum + megabytesOf(path.join(place, name)), 0);
}

function replaceIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

function codeLinesOf(place: string): number {
  const lines = readdirSync(place).flatMap((name) => readFileSync(path.join(place, name), 'utf8').split('\n'));
  return lines.filter((line) => line.trim() !== '' && !/^\s*(?:\/\/|\/?\*)/.test(line)).length;
}

beforeAll(async () => {
  if (!isBuilt) return;
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-journeys-'));
  registry = await LoopbackRegistry.open();
  for (const tarball of Object.values(await packAll(path.join(folder, 'packed'), INSTALLED))) registry.publish(tarball);
  home = path.join(folder, 'home');
  prefix = path.join(home, 'node');
  program = path.join(prefix, 'bin', 'kebab');
  const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  env = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    HOME: home,
    TMPDIR: path.join(home, 'tmp'),
    KEBAB_SERVICE: 'off', // nothing keeps running afterwards
    npm_config_update_notifier: 'false',
    npm_config_fund: 'false',
    npm_config_audit: 'false',
  };
  mkdirSync(path.join(home, 'tmp'), { recursive: true });
  // As written by `npm login`.
  const login = `${registry.url.slice('http:'.length)}:_authToken=loopback`;
  writeFileSync(path.join(home, '.npmrc'), `registry=${registry.url}\n${login}\n`);
  await run('npm', ['install', '-g', '--prefix', prefix, '--ignore-scripts', '@kebab/cli']);
  takeCompiled();
}, 300_000);

afterAll(async () => {
  if (!isBuilt) return;
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!isBuilt)(`the published packages${unless}`, { timeout: 300_000 }, () => {
  it('install a working command line for a user from a registry in at most 90 MB', async () => {
    const megabytes = megabytesOf(prefix);
    expect(megabytes).toBeGreaterThan(20);
    expect(megabytes).toBeLessThan(90);
    cpSync(path.join(root, 'examples', 'notes'), path.join(home, 'notes'), { recursive: true });
    await kebab('add', 'notes');
    await kebab('ingest', '--quiet');
    expect(await kebab('search', 'how long does the dough ferment', '-l')).toContain('bread/sourdough.md');
    expect(await kebab('get', 'notes:http/retry.ts:13-16')).toContain('export function backoff');
  });

  it('let a user install an optional part that doctor reported missing', async () => {
    const command = 'kebab plugin install pdf';
    expect(await kebab('doctor')).toContain(command);
    await kebab('plugin', 'install', 'pdf');
    expect(megabytesOf(path.join(home, '.local/share/kebab/plugins/parts'))).toBeGreaterThan(20);
    expect(await kebab('doctor')).not.toContain(command);
  });

  it('let an author create, test, publish, install, use, update and remove a plugin', async () => {
    const work = path.join(home, 'work');
    const project = path.join(work, PLUGIN);
    const npm = (...line: readonly string[]): Promise<string> => run('npm', line, { cwd: project });
    mkdirSync(work);
    await run(program, ['plugin', 'new', 'logbook', '--kind', 'extractor'], { cwd: work });
    await npm('install');
    expect(megabytesOf(path.join(project, 'node_modules', '@kebab'))).toBeLessThan(3.5); // tables of encodings, for decodeText
    await npm('test');
    expect(await kebab('plugin', 'test', project)).toContain('0 failed');
    await npm('publish');

    expect(await run(program, ['plugin', 'install', PLUGIN], { fails: true })).toContain('needs --yes');
    await kebab('plugin', 'install', PLUGIN, '--yes');
    mkdirSync(path.join(home, 'logs'));
    writeFileSync(path.join(home, 'logs', '2026.logbook'), LOGBOOK);
    await kebab('add', 'logs');
    await kebab('ingest', '--quiet');
    const hits = await run(program, ['search', 'who winds the clockwork', '--json'], { cwd: '/' });
    expect(hits).toContain('2026.logbook#section=lighthouse');

    replaceIn(path.join(project, 'package.json'), '"version": "0.1.0"', '"version": "0.2.0"');
    replaceIn(path.join(project, 'package.json'), '"net": []', '"net": ["tides.example"]');
    replaceIn(path.join(project, 'src/extractor.ts'), "id: 'logbook',", "id: 'logbook',\n    version: '2',");
    await npm('run', 'build');
    await npm('publish');
    const consent = await run(program, ['plugin', 'update', PLUGIN], { fails: true });
    expect(consent).toContain('+ network   tides.example');
    await kebab('plugin', 'update', PLUGIN, '--yes');
    expect(await kebab('ingest', '--json')).toContain('"updated":1');
    expect(codeLinesOf(path.join(project, 'src'))).toBeLessThanOrEqual(40);
    expect(await kebab('plugin', 'search', 'logbook')).toMatch(
      /^kebab-plugin-logbook 0\.2\.0  Reads files that end in \.logbook/,
    );

    await kebab('plugin', 'remove', PLUGIN, '--yes');
    const purge = 'kebab reset --orphans-only';
    for (const verb of ['status', 'doctor']) expect((await kebab(verb)).replaceAll(/\s+/g, ' ')).toContain(purge);
    expect(await kebab('reset', '--orphans-only', '--yes')).toContain('2026.logbook');
    expect(await kebab('status')).not.toContain(purge);
  });
});
