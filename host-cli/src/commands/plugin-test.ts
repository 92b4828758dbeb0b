import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {
  missingPackageIn,
  pluginFolderIn,
  pluginTest as testedPlugin,
  testPlugin,
  toErrorV1,
  xdgFolders,
  printable,
  type PluginTest,
  type PluginPromise,
  type PluginTestResult,
  type SuitesOf,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Screen } from '../screen/screen.ts';

const DEFAULT_LIMIT_S = 60;

/**
 * `kebab plugin test`: runs the suites of everything a plugin contributes, in a separate process, so that a plugin may hang, exit or print
 * without harm.
 */
export async function pluginTest(context: CommandContext): Promise<ExitCode> {
  const target = await targetOf(context);
  const isHere = context.values.has('in-process');
  const report = isHere ? await testHere(target) : await testInChild(target, context.signal);
  if (report === null) return EXIT.ok; // sent to the process that started this one
  context.show(report, renderReport);
  // the report has only this text as the reason for a skipped check
  const untested = report.results.filter(
    ({ status, message }) => status === 'skip' && /needs fixtures\./.test(message ?? ''),
  );
  if (untested.length > 0) context.note(untestedNotice(untested.map(({ suite }) => suite)));
  const [missing] = report.results.flatMap(({ message }) => missingPackageIn(message ?? '') ?? []);
  if (missing !== undefined)
    context.note(`notice: run \`npm install ${printable(missing)}\` in the folder of the plugin`);
  return report.failed === 0 ? EXIT.ok : EXIT.error;
}

/** The notice for an author whose suites had nothing to run on. */
function untestedNotice(suites: readonly string[]): string {
  return `notice: not tested, because there are no fixtures: ${suites.map(printable).join(', ')}; export \`fixtures\` beside the plugin, or name their module in \`kebab.fixtures\` of package.json`;
}

async function targetOf(context: CommandContext): Promise<TestTarget> {
  const limitS = context.values.number('timeout-s') ?? DEFAULT_LIMIT_S;
  const folder = context.absolute('.');
  const typed = context.values.arg('PATH');
  const specifier = hereOrIn(folder, typed) ?? (await installed(context, typed)) ?? typed;
  return { specifier, folder, limitMs: limitS * 1000 };
}

/** An existing path is a path even without a leading dot; anything else is the name of a package. */
function hereOrIn(folder: string, typed: string): string | null {
  const file = path.resolve(folder, typed);
  return existsSync(file) || typed.startsWith('.') ? file : null;
}

/** The folder of a plugin that `kebab plugin install` installed; null if none has this name. */
async function installed(context: CommandContext, name: string): Promise<string | null> {
  const folders = xdgFolders({ XDG_DATA_HOME: context.variable('XDG_DATA_HOME') }, context.homeDir);
  const folder = path.join(pluginFolderIn(folders), 'node_modules', name);
  return existsSync(path.join(folder, 'package.json')) ? folder : null;
}

/** One line per suite with the number of passed checks, failed checks with their reasons below it, and the total. */
function renderReport({ plugin, results, passed, failed, skipped }: PluginTest, { colors }: Screen): string {
  const suites = [...new Set(results.map(({ suite }) => suite))];
  const lines = suites.flatMap((suite) => {
    const own = results.filter((result) => result.suite === suite);
    const passes = own.filter(({ status }) => status === 'pass').length;
    const isSound = own.every(({ status }) => status !== 'fail');
    return [
      `${isSound ? colors.green('✓') : colors.red('✗')} ${printable(suite)}  ${passes} of ${own.length}`,
      ...own.flatMap(({ name, status, message }) => {
        if (status === 'pass') return [];
        const mark = status === 'fail' ? colors.red('✗') : colors.dim('-');
        return [`  ${mark} ${printable(name)}`, `    ${colors.dim(printable(message ?? ''))}`];
      }),
    ];
  });
  const sum = [`${passed} passed`, `${failed} failed`, ...(skipped === 0 ? [] : [`${skipped} skipped`])].join(', ');
  return `${[...lines, '', `${printable(plugin)}: ${sum}`].join('\n')}\n`;
}

/** Extra time for an unresponsive process, beyond the limit of one check. */
const GRACE_MS = 5000;
/** Time to start, load the plugin and plan: the time of ten checks, a minute at most. */
const START_MS = 60_000;
const START_CHECKS = 10;
const SHOWN_CHARS = 80;

/** The plugin to test, and how long a check may take. */
interface TestTarget {
  /** An absolute path, or the name of a package. */
  readonly specifier: string;
  /** The absolute folder from which names are resolved. */
  readonly folder: string;
  readonly limitMs: number;
}

/**
 * Runs the suites of a plugin in a child process: this program with `--in-process`. A plugin that hangs is killed with the process, one
 * that exits fails the running check, and output is reported as one more failed check.
 */
async function testInChild(target: TestTarget, signal: AbortSignal): Promise<PluginTest> {
  const child = startChild(target);
  const printed: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => void printed.push(text));
  child.stderr?.resume();
  const run = await new Promise<TestRun>((resolve) => listen(child, { target, signal, resolve }));
  return testedPlugin(run.plugin, resultsOf(run, printed.join('')));
}

/** Everything received until the process ended. */
interface TestRun {
  readonly plugin: string;
  readonly promises: readonly PluginPromise[];
  readonly results: readonly PluginTestResult[];
  /** Why the process ended too early; null if it had finished. */
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
  }: { readonly target: TestTarget; readonly signal: AbortSignal; readonly resolve: (run: TestRun) => void },
): void {
  let run: TestRun = { plugin: target.specifier, promises: [], results: [], end: 'its process ended' };
  const stop = (why: string): void => {
    run = { ...run, end: why };
    child.kill('SIGKILL');
  };
  const late = (ms: number): NodeJS.Timeout => setTimeout(() => stop(`it did not finish within ${ms / 1000} s`), ms);
  let timer = late(Math.min(START_MS, START_CHECKS * target.limitMs));
  const onAbort = (): void => stop('it was cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  child.on('message', (message: TestMessage) => {
    clearTimeout(timer);
    run = withMessage(run, message);
    timer =
      message.kind === 'end' ? setTimeout(() => child.kill('SIGKILL'), GRACE_MS) : late(target.limitMs + GRACE_MS);
  });
  child.on('close', () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    resolve(run);
  });
}

function withMessage(run: TestRun, message: TestMessage): TestRun {
  switch (message.kind) {
    case 'plan':
      return { ...run, plugin: message.plugin, promises: message.promises };
    case 'result':
      return { ...run, results: [...run.results, message.result] };
    case 'unusable':
    case 'stray':
      return { ...run, end: message.message };
    case 'end':
      return { ...run, end: null };
    default:
      return message satisfies never;
  }
}

/** The results when a process ended too early: the running check failed with that reason, and later ones did not run. */
function resultsOf({ promises, results, end }: TestRun, printed: string): readonly PluginTestResult[] {
  const rest = promises.slice(results.length).map(({ suite, name }, at): PluginTestResult => {
    if (at === 0) return { suite, name, status: 'fail', message: end };
    return { suite, name, status: 'skip', message: 'not run, because the plugin ended the test' };
  });
  const strayAtEnd: PluginTestResult[] =
    end !== null && promises.length > 0 && rest.length === 0
      ? [{ suite: 'Plugin', name: 'ends without an uncaught error', status: 'fail', message: end }]
      : [];
  return [loading(promises.length > 0 ? null : end), ...results, ...rest, ...strayAtEnd, quietness(printed)];
}

function loading(failure: string | null): PluginTestResult {
  return { suite: 'Plugin', name: 'loads', status: failure === null ? 'pass' : 'fail', message: failure };
}

function quietness(printed: string): PluginTestResult {
  const promise = { suite: 'Plugin', name: 'prints nothing on standard output, which belongs to the host' };
  if (printed === '') return { ...promise, status: 'pass', message: null };
  const start = JSON.stringify(printed.slice(0, SHOWN_CHARS));
  return { ...promise, status: 'fail', message: `it printed ${start}; use context.log` };
}

/** Sent by the process that runs the suites to the one that started it. */
type TestMessage =
  | { readonly kind: 'plan'; readonly plugin: string; readonly promises: readonly PluginPromise[] }
  | { readonly kind: 'result'; readonly result: PluginTestResult }
  /** The plugin does not load. */
  | { readonly kind: 'unusable'; readonly message: string }
  /** An uncaught error, which ends the process. */
  | { readonly kind: 'stray'; readonly message: string }
  | { readonly kind: 'end' };

/**
 * Runs the suites in this process. If another process started it for that, results are sent to it as they occur, and the result is null.
 */
async function testHere(target: TestTarget): Promise<PluginTest | null> {
  if (process.send === undefined) return testPlugin(target, suitesOf);
  process.on('uncaughtException', stray);
  process.on('unhandledRejection', stray);
  try {
    const request = {
      ...target,
      onPlan: (plugin: string, promises: readonly PluginPromise[]) => send({ kind: 'plan', plugin, promises }),
      onResult: (result: PluginTestResult) => send({ kind: 'result', result }),
    };
    await testPlugin(request, suitesOf);
    await send({ kind: 'end' });
  } catch (error) {
    await send({ kind: 'unusable', message: toErrorV1(error, { operation: 'plugin test' }).message });
  }
  return null;
}

/** Loads the suites only for a plugin that has been loaded. */
const suitesOf: SuitesOf = async (tested) => (await import('@kebab/testing')).suitesOfPlugin(tested);

/** Resolves when the message has been sent, so that the process does not exit before. */
async function send(message: TestMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    process.send?.(message, () => resolve());
  });
}

/** Sends an uncaught error and ends the process. */
function stray(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.send?.({ kind: 'stray', message } satisfies TestMessage, () => process.exit(1));
}
