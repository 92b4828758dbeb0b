// Installs tools that only the tests of the MCP host need, from the npm registry, into a folder that is kept between runs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The exit code of a script that could not run because the registry could not be reached. */
export const UNREACHABLE = 3;

/** The tools require Node 22; the package `node` provides it if this script runs on an older one. */
const MIN_NODE = { major: 22, minor: 19 };
const BROUGHT_NODE = 'node@22';
const PATIENCE = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000'];
const OFFLINE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

/** The registry cannot be reached. */
export class Unreachable extends Error {}

/** The folder of the tools: the one named by `--folder`, or one beside the installed packages. */
export function toolFolder(argv) {
  const at = argv.indexOf('--folder');
  return at === -1
    ? fileURLToPath(new URL('../node_modules/.cache/kebab-mcp-tools/', import.meta.url))
    : path.resolve(argv[at + 1]);
}

/** Installs a package unless it is already installed, and returns its folder. Throws {@link Unreachable}. */
export function install(folder, { name, version }) {
  const target = path.join(folder, `${name.replaceAll('/', '+')}@${version}`);
  const installed = path.join(target, 'node_modules', ...name.split('/'));
  if (existsSync(installed)) return installed;
  mkdirSync(folder, { recursive: true });
  const part = mkdtempSync(path.join(folder, 'part-'));
  try {
    writeFileSync(path.join(part, 'package.json'), '{"private":true}\n');
    const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...PATIENCE];
    const { status, stderr, error } = spawnSync('npm', ['install', ...options, `${name}@${version}`], {
      cwd: part,
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    if (status !== 0) throw failure(`${name}@${version}`, error?.message ?? stderr);
    // Atomically, so that an interrupted run leaves nothing that looks installed.
    if (!existsSync(installed)) renameSync(part, target);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return installed;
}

/** A Node that runs the tools. Throws {@link Unreachable}. */
export function nodeForTools(folder) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MIN_NODE.major || (major === MIN_NODE.major && minor >= MIN_NODE.minor)) return process.execPath;
  const [name, version] = BROUGHT_NODE.split('@');
  return path.join(install(folder, { name, version }), 'bin', 'node');
}

/** Runs a script that needs tools: returns 0 on success, 1 on failure, {@link UNREACHABLE} without the tools. */
export async function runWithTools(run) {
  try {
    process.exitCode = (await run()) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    console.error(error.message);
    process.exitCode = UNREACHABLE;
  }
}

function failure(what, output) {
  const [reason = 'npm failed'] = output.split('\n').filter((line) => line.trim() !== '');
  if (OFFLINE.test(output))
    return new Unreachable(`${what} cannot be installed, the npm registry is not reachable: ${reason}`);
  return new Error(`${what} cannot be installed: ${output}`);
}
