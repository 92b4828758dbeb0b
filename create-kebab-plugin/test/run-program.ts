import { execFile } from 'node:child_process';

/** The exit code and output of a program. */
export interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end, without the Node options set by the test runner. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, nodeOptions }: { readonly cwd: string; readonly nodeOptions?: string },
): Promise<Run> {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...inherited } = process.env;
  const env = { ...inherited, ...(nodeOptions === undefined ? {} : { NODE_OPTIONS: nodeOptions }) };
  return new Promise((resolve) => {
    execFile(program, [...args], { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}${stderr}` }),
    );
  });
}

/** The output of a program; throws it when the program fails. */
export async function outputOf(running: Promise<Run>): Promise<string> {
  const { code, output } = await running;
  if (code !== 0) throw new Error(output);
  return output;
}
