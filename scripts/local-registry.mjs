// A local registry on loopback (verdaccio) with all packages of kebab, which forwards other requests to the configured npm registry; and
// the fresh home of a user.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Journey } from './journey.mjs';
import { packAll } from './pack-packages.mjs';

const VERDACCIO = '6.0.5';
const START_MS = 60_000;

/** Calls `travel` with a user in a fresh home. Afterwards the registry is stopped and everything is removed. */
export async function inFreshHome(travel) {
  const start = performance.now();
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-journey-'));
  let registry;
  try {
    const tarballs = await packAll(path.join(folder, 'packed'));
    const { child, url } = await startRegistry(path.join(folder, 'registry'));
    registry = child;
    publishAll(Object.values(tarballs), { url, folder });
    const home = path.join(folder, 'home');
    mkdirSync(home);
    // The folder of Node's headers on this machine, for compiling SQLite if there is no prebuilt binary.
    const headers = execFileSync('npm', ['config', 'get', 'nodedir'], { encoding: 'utf8' }).trim();
    const env = headers === 'undefined' ? {} : { npm_config_nodedir: headers };
    const user = new Journey({ home, registry: url, env });
    const { megabytes, more = '' } = await travel(user);
    const minutes = ((performance.now() - start) / 60_000).toFixed(1);
    console.log(`${minutes} min in all, ${megabytes.toFixed(1)} MB, ${user.lines} lines typed${more}`);
  } finally {
    registry?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    if (existsSync(folder)) console.error(`${folder} is left over`);
  }
}

async function startRegistry(place) {
  mkdirSync(place, { recursive: true });
  // One dependency is requested by a tag, which not every registry forwards.
  const overrides = { 'node-fetch': '2.7.0' };
  const manifest = { private: true, dependencies: { verdaccio: VERDACCIO }, overrides };
  writeFileSync(path.join(place, 'package.json'), JSON.stringify(manifest));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { cwd: place, stdio: ['ignore', 'ignore', 'inherit'] });
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const port = await freePort();
  const config = path.join(place, 'config.yaml');
  writeFileSync(
    config,
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
  const program = path.join(place, 'node_modules/verdaccio/bin/verdaccio');
  const child = spawn(process.execPath, [program, '-l', `127.0.0.1:${port}`, '-c', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}/`;
  const answers = () =>
    fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const until = performance.now() + START_MS; performance.now() < until; await delay(200))
    if (await answers()) return { child, url };
  child.kill('SIGKILL');
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

function publishAll(tarballs, { url, folder }) {
  const npmrc = path.join(folder, 'publish.npmrc');
  writeFileSync(npmrc, `${url.slice('http:'.length)}:_authToken=loopback\n`);
  const how = [
    '--registry',
    url,
    '--userconfig',
    npmrc,
    '--access',
    'public',
    '--ignore-scripts',
    '--loglevel',
    'error',
  ];
  for (const tarball of tarballs)
    execFileSync('npm', ['publish', tarball, ...how], { stdio: ['ignore', 'ignore', 'inherit'] });
}
