// Installs kebab as its users do, from a registry: packs and publishes everything to one of its own on loopback, which hands on
// what it does not have to the configured npm registry; then installs the command line in a fresh home, uses it, installs an
// optional part and a third party's plugin, and uses those. Prints minutes, megabytes and lines, and always ends the registry.
//
//   npm run build && node scripts/install-as-user.mjs [--part NAME]
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packAll } from './pack-packages.mjs';

const VERDACCIO = '6.0.5';
const MAX_MEGABYTES = 90;
const START_MS = 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const { part } = parseArgs({ options: { part: { type: 'string', default: 'pdf' } } }).values;
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-as-user-'));
const home = path.join(folder, 'home');
const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
let registry;
let lines = 0;

/** The environment of a user who has nothing: caches of npm are the registry's business. */
function userEnvironment(url) {
  const kept = [
    'PATH',
    'TMPDIR',
    'LANG',
    'HTTPS_PROXY',
    'NODE_EXTRA_CA_CERTS',
    'npm_config_nodedir',
    'npm_config_cafile',
  ];
  const env = Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  return { ...env, HOME: home, npm_config_registry: url, npm_config_cache: path.join(home, '.npm') };
}

function run(program, args, { env, cwd = home, fails = false }) {
  lines += 1;
  console.log(`$ ${[path.basename(program), ...args].join(' ')}`);
  try {
    const printed = execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    if (fails) throw new Error('it was to fail, and did not');
    return printed;
  } catch (error) {
    if (fails && typeof error.status === 'number') return `${error.stdout}${error.stderr}`;
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout ?? ''}${error.stderr ?? ''}`, { cause: error });
  }
}

/** What the files of a folder hold together, and the blocks that they take of this disk. */
function megabytes(place) {
  const sum = { held: 0, onDisk: 0 };
  const add = (file) => {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return;
    sum.onDisk += (stats.blocks ?? Math.ceil(stats.size / 512)) * 512;
    if (stats.isDirectory()) for (const name of readdirSync(file)) add(path.join(file, name));
    else sum.held += stats.size;
  };
  add(place);
  return { held: sum.held / 1e6, onDisk: sum.onDisk / 1e6 };
}

async function timed(what, work) {
  const start = performance.now();
  const result = await work();
  console.log(`  ${what}: ${((performance.now() - start) / 60_000).toFixed(2)} min`);
  return result;
}

function expect(text, wanted, what) {
  if (!text.includes(wanted)) throw new Error(`${what}: ${JSON.stringify(wanted)} is not in\n${text}`);
}

async function startRegistry() {
  const place = path.join(folder, 'registry');
  mkdirSync(place, { recursive: true });
  // A dependency of it is asked for by a tag, which not every registry hands on.
  const overrides = { 'node-fetch': '2.7.0' };
  writeFileSync(
    path.join(place, 'package.json'),
    JSON.stringify({ private: true, dependencies: { verdaccio: VERDACCIO }, overrides }),
  );
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  writeFileSync(
    path.join(place, 'config.yaml'),
    `storage: ./storage
uplinks: { npm: { url: ${upstream}, timeout: 120s, max_fails: 20 } }
packages:
  '@kebab/*': { access: $all, publish: $all }
  'kebab*': { access: $all, publish: $all }
  'create-kebab-plugin': { access: $all, publish: $all }
  '**': { access: $all, proxy: npm }
max_body_size: 200mb
log: { type: stdout, level: error }
`,
  );
  registry = spawn(
    process.execPath,
    [
      path.join(place, 'node_modules/verdaccio/bin/verdaccio'),
      '-l',
      `127.0.0.1:${port}`,
      '-c',
      path.join(place, 'config.yaml'),
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const url = `http://127.0.0.1:${port}/`;
  for (const until = performance.now() + START_MS; performance.now() < until; await delay(200))
    if (
      await fetch(`${url}-/ping`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return url;
  throw new Error('the registry does not start');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function publish(tarball, url) {
  const npmrc = path.join(folder, 'publish.npmrc');
  writeFileSync(npmrc, `${url.slice('http:'.length)}:_authToken=loopback\n`);
  const args = ['publish', tarball, '--registry', url, '--userconfig', npmrc, '--access', 'public', '--ignore-scripts'];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The example that reads EPUB files, as its author would publish it. */
function packExample() {
  const place = path.join(folder, 'kebab-plugin-epub');
  cpSync(path.join(root, 'examples/epub'), place, { recursive: true });
  const file = path.join(place, 'package.json');
  const { private: _private, ...manifest } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...manifest, files: ['dist'] }));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: place,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  return path.join(folder, filename);
}

async function main() {
  const start = performance.now();
  mkdirSync(home, { recursive: true });
  const tarballs = await packAll(path.join(folder, 'packed'));
  const url = await timed('a registry', startRegistry);
  for (const tarball of [...Object.values(tarballs), packExample()]) publish(tarball, url);
  const headers = execFileSync('npm', ['config', 'get', 'nodedir'], { encoding: 'utf8' }).trim();
  // Where the headers of Node lie on this machine, for SQLite where no prebuilt one is to be had.
  const env = { ...userEnvironment(url), ...(headers === 'undefined' ? {} : { npm_config_nodedir: headers }) };
  const prefix = path.join(home, 'node');
  await timed('npm install -g', () =>
    run('npm', ['install', '-g', '--prefix', prefix, '--no-audit', '--no-fund', '@kebab/cli'], { env }),
  );
  const installed = megabytes(prefix);
  console.log(`  installed: ${installed.held.toFixed(1)} MB of files, ${installed.onDisk.toFixed(1)} MB on this disk`);
  if (installed.held > MAX_MEGABYTES) throw new Error(`that is more than ${MAX_MEGABYTES} MB`);

  const program = path.join(prefix, 'bin/kebab');
  const kebab = (args, how = {}) => run(program, args, { env, ...how });
  cpSync(path.join(root, 'examples/notes'), path.join(home, 'notes'), { recursive: true });
  kebab(['add', 'notes']);
  kebab(['ingest', '--quiet']);
  expect(kebab(['search', 'how long does the dough ferment', '-l']), 'bread/sourdough.md', 'a search');
  expect(kebab(['get', 'notes:http/retry.ts:13-16']), 'export function backoff', 'code');
  expect(run(program, ['doctor'], { env, fails: false }), `kebab plugin install ${part}`, 'what is absent');

  await timed(`kebab plugin install ${part}`, () => kebab(['plugin', 'install', part]));
  const parts = path.join(home, '.local/share/kebab/plugins/parts');
  console.log(`  ${part}: ${megabytes(parts).held.toFixed(1)} MB`);
  if (kebab(['doctor']).includes(`kebab plugin install ${part}`)) throw new Error(`the part ${part} is not found`);

  expect(kebab(['plugin', 'install', 'kebab-plugin-epub'], { fails: true }), 'needs --yes', 'consent');
  await timed('kebab plugin install kebab-plugin-epub', () =>
    kebab(['plugin', 'install', 'kebab-plugin-epub', '--yes']),
  );
  expect(kebab(['plugin', 'list']), '✓ kebab-plugin-epub', 'plugin list');
  expect(kebab(['plugin', 'explain', 'book.epub']), 'kebab-plugin-epub', 'plugin explain');
  expect(run('npm', ['exec', '--yes', '--', '@kebab/cli', '--version'], { env }), 'kebab 0', 'npx');
  console.log(
    `${((performance.now() - start) / 60_000).toFixed(1)} min in all, ${installed.held.toFixed(1)} MB, ${lines} lines`,
  );
}

try {
  await main();
} finally {
  registry?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  if (existsSync(folder)) console.error(`${folder} is left over`);
}
