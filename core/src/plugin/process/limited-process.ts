import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { PluginPermissions } from '../define-plugin.ts';
import { moduleFolders, packageFolderOf } from './module-folders.ts';
import { MEMORY_MARK } from './process-program.ts';

/** How to start a process with limits. */
export interface ProcessInit {
  /** The file that it runs, and its arguments. */
  readonly url: URL;
  readonly args?: readonly string[];
  /** `process.env` of a process without a fence. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its heap limit, in MiB. Its program starts the watchdog that counts all other memory. */
  readonly memoryMb: number;
  /** The sandbox of third-party plugins; absent for bundled ones. */
  readonly fence?: ProcessFence | undefined;
}

/** Callbacks of a {@link LimitedProcess}. */
export interface ProcessListeners<Report> {
  /** Called with each message from its program. The process is killed if the callback throws. */
  readonly onReport: (report: Report) => void;
  /** Called once, when it has ended without being asked to. */
  readonly onEnd: (cause: Error) => void;
}

/** How much of the end of its standard error is kept, which may contain the reason why it ended. */
const KEPT_CHARS = 4000;
const DRAIN_MS = 500;

/** The processes that must not outlive this one. They share one listener: Node warns of a leak from the eleventh on. */
const running = new Set<ChildProcess>();

function killRunning(): void {
  for (const child of running) child.kill('SIGKILL');
}

function killAtExit(child: ChildProcess): void {
  if (running.size === 0) process.on('exit', killRunning);
  running.add(child);
}

function leaveAtExit(child: ChildProcess): void {
  if (running.delete(child) && running.size === 0) process.off('exit', killRunning);
}

/** A process that runs plugins: it starts immediately, and never outlives this process. */
export class LimitedProcess<Report extends { readonly kind: string }> {
  readonly #child: ChildProcess;
  readonly #memoryMb: number;
  readonly #listeners: ProcessListeners<Report>;
  #crash: string | null = null;
  #stderrTail = '';
  #isOver = false;

  constructor({ url, args = [], env, memoryMb, fence }: ProcessInit, listeners: ProcessListeners<Report>) {
    this.#memoryMb = memoryMb;
    this.#listeners = listeners;
    const { fork } = process.getBuiltinModule('node:child_process'); // a static import would load it for every ingest
    this.#child = fork(fileURLToPath(url), args, {
      serialization: 'advanced',
      // Standard output carries the program's own output, which must not be mixed with what a plugin prints.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...(fence?.env ?? env) },
      execArgv: [...ownFlags(), `--max-old-space-size=${memoryMb}`, ...(fence?.flags ?? [])],
    });
    killAtExit(this.#child);
    this.#listen();
  }

  /**
   * Sends a message. Throws for data that cannot be serialised; messages to a process that has ended are dropped, since it reports its end
   * anyway.
   */
  send(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => {});
  }

  /** Makes this process wait for it before exiting. */
  keepAlive(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** Lets this process exit without it. */
  rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    unref(this.#child.stderr);
  }

  /** Kills it at once; no further callbacks are called. */
  kill(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    leaveAtExit(this.#child);
    this.#child.kill('SIGKILL');
    this.#child.stderr?.destroy();
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }

  /** Kills it like {@link LimitedProcess.kill}, and waits until it has exited. */
  async end(): Promise<void> {
    this.kill();
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    await new Promise<void>((resolve) => {
      child.ref();
      child.once('exit', () => resolve());
    });
  }

  #listen(): void {
    const child = this.#child;
    child.on('message', (report: unknown) => this.#onMessage(report));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-KEPT_CHARS);
    });
    child.once('error', (error) => this.#ended(error));
    child.once('exit', (code, signal) => {
      const ended = (): void => this.#ended(this.#causeOf(code, signal));
      const drainTimer = setTimeout(ended, DRAIN_MS); // its own child processes may hold its standard error open
      child.once('close', () => {
        clearTimeout(drainTimer);
        ended();
      });
    });
  }

  /** Plugin code can send messages, too, with any content. */
  #onMessage(report: unknown): void {
    if (this.#isOver || typeof (report as { readonly kind?: unknown } | null)?.kind !== 'string') return;
    const { kind, cause } = report as { readonly kind: string; readonly cause?: unknown };
    if (kind === 'crashed') {
      this.#crash = String(cause);
      return;
    }
    try {
      this.#listeners.onReport(report as Report);
    } catch (error) {
      this.#ended(new Error('it sent what kebab cannot read', { cause: error }));
    }
  }

  #causeOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (this.#crash !== null) return new Error(this.#crash);
    if (this.#stderrTail.includes(MEMORY_MARK) || /heap out of memory/.test(this.#stderrTail))
      return new Error(`it took more than ${this.#memoryMb} MiB of memory`);
    return new Error(signal === null ? `its process ended with code ${code}` : `its process was ended by ${signal}`);
  }

  #ended(cause: Error): void {
    if (this.#isOver) return;
    this.kill();
    this.#listeners.onEnd(cause);
  }
}

/** The Node flags of this process, unless they contain the program to run. */
function ownFlags(): readonly string[] {
  const isGivenByFlag = process.execArgv.some((flag) => /^(?:-[ep]+|--eval|--print)\b/.test(flag));
  return isGivenByFlag ? [] : process.execArgv;
}

function unref(stream: ChildProcess['stderr']): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}

/** The sandbox of third-party code in a plugin process. */
export interface ProcessFence {
  /** `process.env` of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Node flags for this process only: its permissions. */
  readonly flags: readonly string[];
  /** Hosts that the global `fetch` of the process may reach. */
  readonly hosts: readonly string[];
}

/** Options of {@link processFence}. */
interface ProcessFenceInit {
  /** The permissions that the plugins in the process declare; each plugin gets the union of them. */
  readonly permissions: readonly PluginPermissions[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program of the process. */
  readonly program: URL;
  /** Folders from which code is loaded besides: those of the plugins. */
  readonly code: readonly string[];
  /** Folders that kebab itself reads in the process, such as its cache. */
  readonly readable?: readonly string[];
  /** A folder that exists. */
  readonly tmpDir: string;
  /** Those of plugins that declare `data-dir`; they exist. */
  readonly dataDirs?: readonly string[];
}

/** Variables that describe the environment of a program, and contain no secrets. */
const PLACE_VARIABLES =
  /^(?:HOME|LANG|LC_\w+|NODE_EXTRA_CA_CERTS|PATH|Path|SSL_CERT_DIR|SSL_CERT_FILE|SystemRoot|TEMP|TMP|TMPDIR|TZ|USERPROFILE|windir)$/;

/** Disables the telemetry of native libraries, whose connections bypass the fence: the ONNX runtime. */
const NO_TELEMETRY: readonly (readonly [string, string])[] = [['ORT_DISABLE_TELEMETRY', '1']];

/** The permission flag of Node 22 and later, or that of Node 20. */
const SWITCH = allowed('--permission') ? '--permission' : '--experimental-permission';

/**
 * Restricts a process to the declarations of its plugins: no variable that may hold a secret, no undeclared host through `fetch`, no file
 * written outside `tmpDir` and `dataDirs`, none read elsewhere but code (unless a plugin declares `input-only`), and no program started
 * without `spawn`. Native addons and threads, which parsers use, are unrestricted.
 */
export function processFence(init: ProcessFenceInit): ProcessFence {
  const { permissions, env, tmpDir, dataDirs = [] } = init;
  const writes = [tmpDir, ...dataDirs];
  const reads = permissions.some(({ fs }) => fs === 'input-only') ? ['*'] : [...codeOf(init), ...writes];
  const spawns = permissions.some(({ spawn }) => spawn.length > 0);
  return {
    env: Object.fromEntries([
      ...Object.entries(env).flatMap(([name, value]) => (isPlace(name, value) ? [[name, value]] : [])),
      ...NO_TELEMETRY,
    ]),
    flags: [
      SWITCH,
      ...reads.map((folder) => `--allow-fs-read=${folder}`),
      ...writes.map((folder) => `--allow-fs-write=${folder}`),
      '--allow-addons',
      '--allow-worker',
      ...(spawns ? ['--allow-child-process'] : []),
    ],
    hosts: [...new Set(permissions.flatMap(({ net }) => net))],
  };
}

/** The folders of all code that the process may load, and what kebab itself reads. */
function codeOf({ program, code, readable = [] }: ProcessFenceInit): readonly string[] {
  const programs = [fileURLToPath(program), ...preloaded()].map(packageFolderOf);
  return [...moduleFolders([...programs, ...code]), ...readable];
}

/** The files that the flags of this process, which plugin processes inherit, load first. */
function preloaded(): readonly string[] {
  const flags = process.execArgv.join('\n').matchAll(/^(?:--import|--require|-r)[\n=](.+)$/gm);
  return [...flags].flatMap(([, file = '']) => (file.startsWith('file:') ? [fileURLToPath(file)] : []));
}

function isPlace(name: string, value: string | undefined): value is string {
  return value !== undefined && PLACE_VARIABLES.test(name);
}

function allowed(flag: string): boolean {
  return process.allowedNodeEnvironmentFlags.has(flag);
}
