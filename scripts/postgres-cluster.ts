// A private PostgreSQL server for tests and measurements: on a loopback port, in a folder of its own, as an unprivileged user.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Names a server to use instead of a private one: `postgres://…`, whose user may make schemas in the database. */
const GIVEN_URL = 'KEBAB_TEST_POSTGRES_URL';

/** The folder of the server that all tests of a run share, made by the first test that needs it. */
const SHARED_FOLDER = 'KEBAB_TEST_POSTGRES';

const DEBIAN = '/usr/lib/postgresql';

/** Names of users without rights, of which one must exist where tests run as root: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** Users of the server and their passwords; only the first one needs none. */
export const TEST_USERS = { owner: 'kebab', restricted: 'restricted', password: 'p@ss w/rd#1' } as const;

/** The folder of PostgreSQL's programs; null if they are not installed. */
export function findPostgres(): string | null {
  const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...installed.map((version) => path.join(DEBIAN, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  return folders.find((folder) => existsSync(path.join(folder, 'initdb'))) ?? null;
}

/** Whether tests can use a server. */
export function hasPostgres(): boolean {
  return process.env[GIVEN_URL] !== undefined || (process.platform !== 'win32' && findPostgres() !== null);
}

/** The URL of a server for tests: the named one, or that of this run. */
export async function testServerUrl(): Promise<string> {
  const named = process.env[GIVEN_URL];
  if (named !== undefined) return named;
  const folder = process.env[SHARED_FOLDER] ?? path.join(tmpdir(), `kebab-postgres-${process.pid}`);
  const urlFile = path.join(folder, 'url');
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) {
    if (process.env[SHARED_FOLDER] === undefined) process.once('exit', () => stopCluster(folder));
    const url = await startCluster(folder);
    writeFileSync(`${urlFile}.new`, url);
    renameSync(`${urlFile}.new`, urlFile);
    return url;
  }
  while (!existsSync(urlFile)) await sleep(50);
  return readFileSync(urlFile, 'utf8');
}

/** Makes and starts a server in an empty folder, and returns the URL of its database. */
export async function startCluster(folder: string): Promise<string> {
  const bin = findPostgres();
  if (bin === null)
    throw new Error('PostgreSQL is not installed: its programs are neither in the PATH nor in /usr/lib/postgresql');
  const user = unprivilegedUser();
  if (user !== null) {
    chmodSync(path.dirname(folder), 0o711);
    chownSync(folder, user.uid, user.gid);
  }
  const data = path.join(folder, 'data');
  run(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', TEST_USERS.owner, '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'],
    user,
  );
  writeFileSync(
    path.join(data, 'pg_hba.conf'),
    `host all ${TEST_USERS.restricted} 127.0.0.1/32 scram-sha-256\nhostssl all encrypted 127.0.0.1/32 trust\nhost all ${TEST_USERS.owner} 127.0.0.1/32 trust\n`,
  );
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
  };
  const log = openSync(path.join(folder, 'log'), 'a');
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...flags], {
    ...(user === null ? {} : user),
    cwd: folder,
    detached: true,
    stdio: ['ignore', log, log],
  });
  server.unref();
  const url = `postgres://${TEST_USERS.owner}@127.0.0.1:${port}`;
  const psql = path.join(bin, 'psql');
  for (let attempt = 1; spawnSync(psql, [`${url}/postgres`, '-c', 'SELECT 1']).status !== 0; attempt++) {
    if (attempt === 300 || server.exitCode !== null) throw new Error(readFileSync(path.join(folder, 'log'), 'utf8'));
    await sleep(100);
  }
  const password = TEST_USERS.password;
  run(
    psql,
    [
      `${url}/postgres`,
      '-q',
      '-c',
      'CREATE DATABASE kebab',
      '-c',
      `CREATE ROLE ${TEST_USERS.restricted} LOGIN PASSWORD '${password}'`,
    ],
    user,
  );
  return `${url}/kebab`;
}

/** Starts a server again over its data, as it was started before: after its death. */
export async function restartCluster(folder: string): Promise<void> {
  const data = path.join(folder, 'data');
  const [server = '', ...flags] = [
    ...readFileSync(path.join(data, 'postmaster.opts'), 'utf8').matchAll(/"([^"]*)"|(\S+)/g),
  ].map(([, quoted, bare]) => quoted ?? bare ?? '');
  rmSync(path.join(data, 'postmaster.pid'), { force: true });
  const child = spawn(server, flags, { ...unprivilegedUser(), cwd: folder, detached: true, stdio: 'ignore' });
  child.unref();
  await sleep(1500);
}

/** Stops a server at once, if it runs, and removes its folder. */
export function stopCluster(folder: string): void {
  const pid = pidOf(folder);
  if (pid !== null) {
    kill(pid, 'SIGQUIT');
    for (let attempt = 1; isRunning(pid); attempt++) {
      if (attempt === 100) kill(pid, 'SIGKILL');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      if (attempt > 200) break;
    }
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function pidOf(folder: string): number | null {
  const file = path.join(folder, 'data', 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended in the meantime
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

function unprivilegedUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of UNPRIVILEGED) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor nobody');
}

function run(program: string, args: readonly string[], user: User | null): void {
  execFileSync(program, args, { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { readonly port: number };
      probe.close(() => resolve(port));
    });
  });
}
