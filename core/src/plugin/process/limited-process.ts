import type { ChildProcess } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { PluginPermissions } from '../define-plugin.ts';
import { MEMORY_MARK } from './process-program.ts';

/** How a process with limits is started. */
export interface ProcessInit {
  /** The file that it runs, and what that is given. */
  readonly url: URL;
  readonly args?: readonly string[];
  /** `process.env` of one without a fence. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The heap that it may take, in MiB. Its program starts the watchdog that counts everything else. */
  readonly memoryMb: number;
  /** What plugins that did not come with kebab find around them; left out for those that did. */
  readonly fence?: ProcessFence | undefined;
}

/** Who hears of a process. */
export interface ProcessListeners<Report> {
  /** Called for what its program sends. One that throws ends the process. */
  readonly onReport: (report: Report) => void;
  /** Called once, when it has ended and nothing asked for that. */
  readonly onEnd: (cause: Error) => void;
}

/** The end of what a process wrote on its standard error, where it may stand why it ended. */
const KEPT_CHARS = 4000;
const LAST_WORDS_MS = 500;

/** Those that must not outlive this process. They share one listener: Node warns of a leak from the eleventh on. */
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

/** A process that runs plugins: it is started at once, and never outlives this one. */
export class LimitedProcess<Report extends { readonly kind: string }> {
  readonly #child: ChildProcess;
  readonly #memoryMb: number;
  readonly #listeners: ProcessListeners<Report>;
  #crash: string | null = null;
  #lastWords = '';
  #isOver = false;

  constructor({ url, args = [], env, memoryMb, fence }: ProcessInit, listeners: ProcessListeners<Report>) {
    this.#memoryMb = memoryMb;
    this.#listeners = listeners;
    const { fork } = process.getBuiltinModule('node:child_process'); // an import would load it for an ingest that starts none
    this.#child = fork(fileURLToPath(url), args, {
      serialization: 'advanced',
      // Standard output carries the data of the program, and what a process of plugins prints must not reach it.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...(fence?.env ?? env) },
      execArgv: [...ownFlags(), `--max-old-space-size=${memoryMb}`, ...(fence?.flags ?? [])],
    });
    killAtExit(this.#child);
    this.#listen();
  }

  /** Sends a message. Throws for what cannot be sent; a process that is gone hears nothing, and ends as well. */
  send(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object, () => {});
  }

  /** From now on this process waits for it. */
  keepAlive(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  /** From now on this process may end without it. */
  rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    unref(this.#child.stderr);
  }

  /** Ends it at once; nothing is heard of it any more. */
  kill(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    leaveAtExit(this.#child);
    this.#child.kill('SIGKILL');
    this.#child.stderr?.destroy();
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }

  /** Ends it like {@link LimitedProcess.kill}, and waits until it is gone. */
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
    child.on('message', (report: unknown) => this.#heard(report));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-KEPT_CHARS);
    });
    child.once('error', (error) => this.#ended(error));
    child.once('exit', (code, signal) => {
      const ended = (): void => this.#ended(this.#causeOf(code, signal));
      const patience = setTimeout(ended, LAST_WORDS_MS); // what it started may hold its standard error open
      child.once('close', () => {
        clearTimeout(patience);
        ended();
      });
    });
  }

  /** Code of a plugin can send, too, and whatever it likes. */
  #heard(report: unknown): void {
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
    if (this.#lastWords.includes(MEMORY_MARK) || /heap out of memory/.test(this.#lastWords))
      return new Error(`it took more than ${this.#memoryMb} MiB of memory`);
    return new Error(signal === null ? `its process ended with code ${code}` : `its process was ended by ${signal}`);
  }

  #ended(cause: Error): void {
    if (this.#isOver) return;
    this.kill();
    this.#listeners.onEnd(cause);
  }
}

/** The flags of this process, unless they hold the program that it runs. */
function ownFlags(): readonly string[] {
  const isGivenByFlag = process.execArgv.some((flag) => /^(?:-[ep]+|--eval|--print)\b/.test(flag));
  return isGivenByFlag ? [] : process.execArgv;
}

function unref(stream: ChildProcess['stderr']): void {
  (stream as { unref?: () => void } | null)?.unref?.();
}

/** What code that did not come with kebab finds around it in a process of plugins. */
export interface ProcessFence {
  /** `process.env` of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Node flags for the process alone: its permissions. */
  readonly flags: readonly string[];
  /** Hosts that the global `fetch` of the process reaches. */
  readonly hosts: readonly string[];
}

/** What a fence is made from. */
interface ProcessFenceInit {
  /** What the plugins in the process declare; they share it, so what one of them may do all of them may. */
  readonly permissions: readonly PluginPermissions[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders that exist. */
  readonly tmpDir: string;
  readonly dataDir: string;
}

/** Variables that say where a program runs, and hold no secrets. */
const PLACE_VARIABLES =
  /^(?:HOME|LANG|LC_\w+|NODE_EXTRA_CA_CERTS|PATH|Path|SSL_CERT_DIR|SSL_CERT_FILE|SystemRoot|TEMP|TMP|TMPDIR|TZ|USERPROFILE|windir)$/;

/** What keeps libraries of native code, whose connections no fence sees, from reporting their use: the ONNX runtime. */
const NO_TELEMETRY: readonly (readonly [string, string])[] = [['ORT_DISABLE_TELEMETRY', '1']];

/** What Node 20 calls the permissions, and Node 22 and later. */
const SWITCH = allowed('--permission') ? '--permission' : '--experimental-permission';

/**
 * Fences a process as its plugins declare: no variable that may hold a secret, no undeclared host by `fetch`,
 * no file written outside `tmpDir` (and `dataDir` for a plugin that says `data-dir`), and no program started without `spawn`.
 * Reading stays free, because modules must be found; so do native addons and threads, which parsers use.
 */
export function processFence({ permissions, env, tmpDir, dataDir }: ProcessFenceInit): ProcessFence {
  const writes = permissions.some(({ fs }) => fs === 'data-dir') ? [tmpDir, dataDir] : [tmpDir];
  const spawns = permissions.some(({ spawn }) => spawn.length > 0);
  return {
    env: Object.fromEntries([
      ...Object.entries(env).flatMap(([name, value]) => (isPlace(name, value) ? [[name, value]] : [])),
      ...NO_TELEMETRY,
    ]),
    flags: [
      SWITCH,
      '--allow-fs-read=*',
      ...writes.map((folder) => `--allow-fs-write=${folder}`),
      '--allow-addons',
      '--allow-worker',
      ...(spawns ? ['--allow-child-process'] : []),
    ],
    hosts: [...new Set(permissions.flatMap(({ net }) => net))],
  };
}

function isPlace(name: string, value: string | undefined): value is string {
  return value !== undefined && PLACE_VARIABLES.test(name);
}

function allowed(flag: string): boolean {
  return process.allowedNodeEnvironmentFlags.has(flag);
}
