// Performs the steps of the Dockerfile in a temporary folder, where no container engine runs: `npm run build && node
// scripts/run-dockerfile.mjs`. Paths at the root become paths in the folder; `npm ci`, whose result this checkout already has, is left
// out. Then the entry point has to answer, and the health check to succeed while the server runs.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-image-'));
const here = (text) => text.replaceAll(/(?<=^|[ =])\/(?=src|packages|app|data)/g, `${folder}/`);

const steps = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '' && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1).trim()]);

const env = { ...process.env, HOME: folder, npm_config_ignore_scripts: 'true' };
let cwd = folder;
let health = [];
let entry = [];
let command = [];

function run(line) {
  console.log(`RUN ${line}`);
  const { status } = spawnSync('sh', ['-c', here(line)], { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`this step ended with ${status}: ${line}`);
}

const instructions = {
  FROM: () => (cwd = folder),
  WORKDIR: (place) => mkdirSync((cwd = here(place)), { recursive: true }),
  COPY: (what) => {
    if (what === '. .') cwd = root;
  },
  RUN: (line) => {
    if (line === 'npm ci') console.log('RUN npm ci: the packages and the build of this checkout are used');
    else run(line.replace(/chown \S+ (\S+)/, 'test -d $1'));
    // The native part is taken from this checkout, because its server may be out of reach; install scripts are not run.
    const native = path.join(folder, 'app/node_modules/better-sqlite3');
    if (existsSync(native))
      cpSync(path.join(root, 'node_modules/better-sqlite3/build'), `${native}/build`, { recursive: true });
  },
  USER: (user) => {
    if (user === 'root') throw new Error('it runs as root');
  },
  ENV: (pairs) => {
    for (const pair of pairs.split(' '))
      env[pair.slice(0, pair.indexOf('='))] = here(pair).slice(pair.indexOf('=') + 1);
  },
  HEALTHCHECK: (check) => (health = JSON.parse(check.slice(check.indexOf('[')))),
  ENTRYPOINT: (words) => (entry = JSON.parse(words)),
  CMD: (words) => (command = JSON.parse(words)),
};

try {
  for (const [name, rest] of steps) {
    if (instructions[name] === undefined) throw new Error(`${name} is not known here`);
    instructions[name](rest);
  }
  run(`${entry.join(' ')} --version`);
  const server = spawn(here(entry[0]), command, { cwd, env, stdio: 'inherit' });
  try {
    let isHealthy = false;
    for (let attempt = 0; attempt < 30 && !isHealthy && server.exitCode === null; attempt++) {
      await sleep(1000);
      isHealthy = spawnSync(health[0], health.slice(1), { env }).status === 0;
    }
    console.log(isHealthy ? 'the health check succeeds' : 'the health check fails');
    if (!isHealthy) process.exitCode = 1;
  } finally {
    server.kill('SIGTERM');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
