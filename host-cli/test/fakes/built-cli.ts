import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { BundleChunk } from '../../../scripts/bundle.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The result of a run. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options for running a command line. */
export interface CliRunOptions {
  readonly home: CliHome;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[];
}

/** A temporary home folder with a knowledge base folder in it. */
export interface CliHome {
  readonly folder: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  write(file: string, content: string | Uint8Array): void;
}

/** The command line as shipped, bundled into a temporary folder. */
export interface BuiltCli {
  readonly bin: string;
  readonly bundleFolder: string;
  readonly chunks: readonly BundleChunk[];
  newHome(): CliHome;
  start(line: readonly string[], options: CliRunOptions): ChildProcessWithoutNullStreams;
  run(line: readonly string[], options: CliRunOptions): Promise<CliRun>;
  /** Waits until no program in the folder runs; throws when one runs for half a minute more. */
  programsEnded(): Promise<void>;
  /** Removes the folder once every program in it has ended, and fails if one keeps running. */
  remove(): Promise<void>;
}

/** A bundle from which command lines are copied, with a compile cache that they share on Nodes that have one. */
interface Bundle {
  readonly folder: string;
  readonly code: string;
  readonly chunks: readonly BundleChunk[];
}

/** Bundling takes seconds, copying does not. Tests may write into the copies. */
let bundled: Promise<Bundle> | undefined;

/** Creates the bundle, or waits for the process of this test run that creates it. */
async function bundleOnce(): Promise<Bundle> {
  const shared = process.env['KEBAB_TEST_BUNDLE']; // in the folder of the test run, which is removed at its end
  const folder = shared ?? mkdtempSync(path.join(tmpdir(), 'kebab-test-bundle-'));
  if (shared === undefined) process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const made = { folder: path.join(folder, 'bundle'), code: path.join(folder, 'code') };
  const outcome = path.join(folder, 'outcome.json');
  if (shared === undefined || mkdirSync(shared, { recursive: true }) !== undefined) {
    const result = await bundle(made.folder).then(
      (chunks) => ({ chunks }),
      (error: unknown) => ({ problem: String(error) }),
    );
    mkdirSync(made.code, { mode: 0o700 });
    writeFileSync(`${outcome}.draft`, JSON.stringify(result));
    renameSync(`${outcome}.draft`, outcome);
  }
  while (!existsSync(outcome)) await new Promise((resolve) => setTimeout(resolve, 50));
  const { chunks, problem } = JSON.parse(readFileSync(outcome, 'utf8')) as {
    readonly chunks?: readonly BundleChunk[];
    readonly problem?: string;
  };
  if (chunks === undefined) throw new Error(problem);
  return { ...made, chunks };
}

/** Bundles in a process of its own: the bundler keeps 900 MB until its process ends. */
async function bundle(folder: string): Promise<readonly BundleChunk[]> {
  const line = [path.join(root, 'scripts', 'bundle.mjs'), folder];
  const { stdout } = await promisify(execFile)(process.execPath, line, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as readonly BundleChunk[];
}

/** Compiled code is looked up by the modification time of its source file. */
const COPY = { recursive: true, preserveTimestamps: true } as const;

/** Arranges the bundled command line like the package. */
export async function buildCli(): Promise<BuiltCli> {
  const { folder: made, code, chunks } = await (bundled ??= bundleOnce());
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-cli-'));
  const bundleFolder = path.join(folder, 'cli', 'dist', 'bundle');
  cpSync(made, bundleFolder, COPY);
  cpSync(path.join(root, 'host-cli', 'bin'), path.join(folder, 'cli', 'bin'), COPY);
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  const bin = path.join(folder, 'cli', 'bin', 'kebab.cjs');
  let homes = 0;

  function start(line: readonly string[], options: CliRunOptions): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [...(options.nodeArgs ?? []), bin, ...line], {
      cwd: options.cwd ?? options.home.folder,
      env: { PATH: process.env['PATH'] ?? '', ...options.home.env, ...options.env },
    });
  }

  return {
    bin,
    bundleFolder,
    chunks,
    newHome: () => makeHome(path.join(folder, `home-${++homes}`), code),
    start,
    run: (line, options) => finished(start(line, options), options.stdin ?? ''),
    programsEnded: () => programsEnded(folder),
    async remove() {
      await programsEnded(folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A home that shares compiled code with other homes, because compiling takes most of the time of a short command. */
export function makeHome(folder: string, code: string): CliHome {
  const workspace = path.join(folder, 'KnowledgeBase');
  const env = {
    HOME: folder,
    KEBAB_SERVICE: 'off', // no test leaves a process behind; tests of the service override this
    TMPDIR: path.join(folder, 'tmp'),
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
  };
  mkdirSync(env.TMPDIR, { recursive: true });
  mkdirSync(path.join(env.XDG_CACHE_HOME, 'kebab'), { recursive: true, mode: 0o700 });
  symlinkSync(code, path.join(env.XDG_CACHE_HOME, 'kebab', 'code'), 'junction');
  return {
    folder,
    workspace,
    env,
    write(file, content) {
      const full = path.join(workspace, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, content);
    },
  };
}

const ENDING_MS = 30_000;

/** Waits for running programs: a program that is still exiting writes its compiled code and would recreate the folders. */
async function programsEnded(folder: string): Promise<void> {
  const until = performance.now() + ENDING_MS;
  for (let running = programsIn(folder); running.length > 0; running = programsIn(folder)) {
    if (performance.now() > until) throw new Error(`a test leaves programs behind: ${running.join('; ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Command lines of the programs that run from a folder, on systems with `/proc`. */
function programsIn(folder: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map(commandLine)
    .filter((line) => line.includes(folder));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended in the meantime
  }
}

/** Waits for a process to end and collects its output. */
export async function finished(child: ChildProcessWithoutNullStreams, stdin: string): Promise<CliRun> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (data: Buffer) => out.push(data));
  child.stderr.on('data', (data: Buffer) => err.push(data));
  child.stdin.on('error', () => undefined); // a command that reads no input may be gone before it is written
  child.stdin.end(stdin);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') };
}

/** The lines of an output as JSON. */
export function jsonLines(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}
