import { KEBAB_VERSION } from '@kebab/core/app';
import { FileOutput } from './io/file-output.ts';

/** Runs a command line in this process, which exits with the code of the command once everything is written. */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && ['--version', '-V', 'version'].includes(argv[0] ?? '') && (await printVersion())) return;
  const { runProgram } = await import('./program.ts');
  return runProgram(argv);
}

/** Prints the version, for which scripts need not wait for the program; false where it cannot be written, which the program reports. */
async function printVersion(): Promise<boolean> {
  const stdout = new FileOutput(1);
  try {
    stdout.write(`kebab ${KEBAB_VERSION}\n`);
    await stdout.flush();
    return true;
  } catch {
    return false;
  }
}
