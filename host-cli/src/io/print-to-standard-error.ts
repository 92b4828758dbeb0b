import process from 'node:process';

/**
 * Makes `console.log` and `process.stdout.write` write to standard error from now on: standard output carries what a command
 * has to say, which is written by file descriptor, and nothing else.
 */
export function printToStandardError(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/** The same where standard output carries a protocol: also what writes to the stream itself goes to standard error. */
export function keepOutputClean(): void {
  Object.defineProperty(process, 'stdout', { configurable: true, get: () => process.stderr });
}
