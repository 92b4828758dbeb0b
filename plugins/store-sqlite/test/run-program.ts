import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A TypeScript program that a test runs in a separate process. */
export interface RunningProgram {
  readonly process: ChildProcess;
  /** Its standard output, line by line. */
  readonly lines: AsyncIterable<string>;
  /** The exit code, or null if the process was killed. */
  readonly ended: Promise<number | null>;
}

const REGISTER = new URL('../../../scripts/register-ts.mjs', import.meta.url);

/** How a program is started; `wrapper` is the command that runs it. */
interface ProgramOptions {
  readonly wrapper: readonly string[];
}

/** Starts a program from `fixtures/`, which inherits standard error. */
export function runProgram(
  name: string,
  first: string | ProgramOptions,
  ...parameters: readonly string[]
): RunningProgram {
  const program = new URL(`fixtures/${name}.ts`, import.meta.url);
  const { wrapper } = typeof first === 'string' ? { wrapper: [] } : first;
  const given = typeof first === 'string' ? [first, ...parameters] : parameters;
  const line = [...wrapper, process.execPath, '--import', REGISTER.href, program.pathname, ...given];
  const child = spawn(line[0] ?? '', line.slice(1), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, VITEST_WORKER_ID: '1' },
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { process: child, lines: createInterface({ input: child.stdout }), ended };
}
