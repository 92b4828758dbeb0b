import type { CommandContext } from '../cli/command-context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { runIngest } from './run-ingest.ts';

/** `kebab ingest-file`: adds one file from outside the sources. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const file = context.absolute(context.values.arg('PATH'));
  return runIngest(context, (app, options) => app.ingestFile(file, options));
}
