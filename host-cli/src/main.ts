import { KEBAB_VERSION } from '@kebab/core/app';
import { FileOutput } from './io/file-output.ts';

/** Runs a command line in this process, which exits with the code of the command once everything is written. */
export async function main(argv: readonly string[]): Promise<void> {
  if (argv.length !== 1 || !['--version', '-V', 'version'].includes(argv[0] ?? '')) {
    const { runProgram } = await import('./program.ts');
    return runProgram(argv);
  }
  const stdout = new FileOutput(1);
  stdout.write(`kebab ${KEBAB_VERSION}\n`); // scripts ask for it, and need not wait for the program
  await stdout.flush();
}
