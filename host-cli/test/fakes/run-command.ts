import type { App } from '@kebab/core/app';
import type { Engine, EngineSetup } from '../../src/command/command-context.ts';
import type { ExitCode } from '../../src/exit-codes.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { MemoryOutput, memoryInput } from './memory-io.ts';

/** The environment of a command in a test. */
export interface CommandTest {
  readonly app?: Partial<App>;
  readonly tryFolder?: Engine['tryFolder'];
  readonly serveApp?: Engine['serveApp'];
  readonly serviceStatus?: Engine['serviceStatus'];
  readonly stopService?: Engine['stopService'];
  readonly stdin?: readonly string[];
  readonly stdinIsTerminal?: boolean;
  /** Width of the terminal of stdout and stderr; without it they are pipes. */
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly stdout?: MemoryOutput;
  readonly cwd?: string;
  /** Replaces running a line again. */
  readonly problem?: Error;
  readonly runAgain?: (line: readonly string[]) => Promise<ExitCode>;
}

/** The result of a command. */
export interface CommandOutcome {
  readonly code: number;
  readonly stdout: MemoryOutput;
  readonly stderr: MemoryOutput;
  /** The options of every `openApp`. */
  readonly opened: readonly Parameters<Engine['openApp']>[0][];
  readonly closed: number;
}

/** Runs a command line against the App of the test. */
export async function runCommand(line: readonly string[], test: CommandTest = {}): Promise<CommandOutcome> {
  const stdout = test.stdout ?? new MemoryOutput(test.columns);
  const stderr = new MemoryOutput(test.columns);
  const opened: Parameters<Engine['openApp']>[0][] = [];
  let closed = 0;
  const engine: Engine = {
    openApp: async (options) => {
      opened.push(options);
      return fakeApp({ close: async () => void closed++, ...test.app });
    },
    tryFolder: test.tryFolder ?? unexpected,
    serveApp: test.serveApp ?? unexpected,
    serviceStatus: test.serviceStatus ?? unexpected,
    stopService: test.stopService ?? unexpected,
  };
  const setup: EngineSetup = {
    builtins: [],
    extractionWorkerUrl: new URL('file:///worker.cjs'),
    environment: {
      cwd: test.cwd ?? '/work-folder',
      env: { XDG_STATE_HOME: '/dev/null', ...test.env },
      homeDir: '/home/ada',
      tmpDir: '/tmp',
    },
  };
  const io = { stdin: memoryInput(test.stdin, test.stdinIsTerminal), stdout, stderr };
  const signal = test.signal ?? new AbortController().signal;
  const code = await runCli(line, { io, engine, setup, problem: test.problem, signal, runAgain: test.runAgain });
  return { code, stdout, stderr, opened, closed };
}

async function unexpected(): Promise<never> {
  throw new Error('the test did not expect this');
}

/** An App with the methods of the test, which is in no project and fails for all others. */
function fakeApp(does: Partial<App>): App {
  const configPaths = async (): Promise<object> => ({ config_files: [] });
  return new Proxy({ notices: [], configPaths, ...does } as unknown as App, {
    get: (app, name) => {
      const isKnown = Reflect.has(app, name) || name === 'then'; // `await` checks for a `then` method
      if (isKnown) return Reflect.get(app, name) as unknown;
      return () => Promise.reject(new Error(`the test did not expect ${String(name)}`));
    },
  });
}
