import { spawn, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { pluginTest, type PluginPromise, type PluginTestResult, type WireObjects } from '@kebab/core/app';
import type { TestMessage } from './test-messages.ts';
import type { TestTarget } from './test-target.ts';

/** What a process that cannot be reached any more is given beyond the time of one promise. */
const GRACE_MS = 5000;
/** Time to start, load the plugin and plan. */
const START_MS = 60_000;
const SHOWN_CHARS = 80;

/**
 * Runs the suites of a plugin in a process of its own: this program once more, with `--in-process`. A plugin that hangs is
 * ended with it, one that ends the process fails the promise in hand, and what it prints is one more promise it broke.
 */
export async function testInChild(target: TestTarget, signal: AbortSignal): Promise<WireObjects['plugin_test']> {
  const child = startChild(target);
  const printed: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void printed.push(text));
  child.stderr?.resume();
  const heard = await new Promise<Heard>((resolve) => listen(child, { target, signal, resolve }));
  return pluginTest(heard.plugin, resultsOf(heard, printed.join('')));
}

/** What was learnt of a plugin until its process ended. */
interface Heard {
  readonly plugin: string;
  readonly promises: readonly PluginPromise[];
  readonly results: readonly PluginTestResult[];
  /** Why the process ended too soon; null when it was done. */
  readonly end: string | null;
}

function startChild({ specifier, folder, limitMs }: TestTarget): ChildProcess {
  const [node = process.execPath, program = ''] = process.argv;
  const line = ['plugin', 'test', specifier, '--in-process', '--timeout-s', String(limitMs / 1000)];
  return spawn(node, [...process.execArgv, program, ...line], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function listen(
  child: ChildProcess,
  {
    target,
    signal,
    resolve,
  }: { readonly target: TestTarget; readonly signal: AbortSignal; readonly resolve: (heard: Heard) => void },
): void {
  let heard: Heard = { plugin: target.specifier, promises: [], results: [], end: 'its process ended' };
  const stop = (why: string): void => {
    heard = { ...heard, end: why };
    child.kill('SIGKILL');
  };
  const late = (ms: number): NodeJS.Timeout => setTimeout(() => stop(`it was not done within ${ms / 1000} s`), ms);
  let timer = late(START_MS);
  const onAbort = (): void => stop('it was cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  child.on('message', (message: TestMessage) => {
    clearTimeout(timer);
    heard = withMessage(heard, message);
    timer =
      message.kind === 'end' ? setTimeout(() => child.kill('SIGKILL'), GRACE_MS) : late(target.limitMs + GRACE_MS);
  });
  child.on('close', () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    resolve(heard);
  });
}

function withMessage(heard: Heard, message: TestMessage): Heard {
  switch (message.kind) {
    case 'plan':
      return { ...heard, plugin: message.plugin, promises: message.promises };
    case 'start':
      return heard;
    case 'result':
      return { ...heard, results: [...heard.results, message.result] };
    case 'unusable':
    case 'stray':
      return { ...heard, end: message.message };
    case 'end':
      return { ...heard, end: null };
    default:
      return message satisfies never;
  }
}

/** The promise in hand failed with why the process ended; those behind it were never checked. */
function resultsOf({ promises, results, end }: Heard, printed: string): readonly PluginTestResult[] {
  const loads: PluginTestResult = {
    ...{ suite: 'Plugin', name: 'loads' },
    ...(promises.length === 0 ? { status: 'fail', message: end } : { status: 'pass', message: null }),
  };
  const rest = promises.slice(results.length).map((promise, at): PluginTestResult => ({
    ...promise,
    ...(at === 0
      ? { status: 'fail', message: end }
      : { status: 'skip', message: 'the plugin did not let the suites go on' }),
  }));
  const strayAtEnd: PluginTestResult[] =
    end !== null && promises.length > 0 && rest.length === 0
      ? [{ suite: 'Plugin', name: 'ends without an error that nobody catches', status: 'fail', message: end }]
      : [];
  return [loads, ...results, ...rest, ...strayAtEnd, quietness(printed)];
}

function quietness(printed: string): PluginTestResult {
  const promise = { suite: 'Plugin', name: 'prints nothing on standard output, which belongs to the host' };
  if (printed === '') return { ...promise, status: 'pass', message: null };
  const start = JSON.stringify(printed.slice(0, SHOWN_CHARS));
  return { ...promise, status: 'fail', message: `it printed ${start}; use context.log` };
}
