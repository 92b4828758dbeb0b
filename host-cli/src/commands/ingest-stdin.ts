import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { readAll } from '../io/text-input.ts';
import { runIngest } from './run-ingest.ts';

/** `kebab ingest-stdin`: adds the Markdown that comes on standard input. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values, io, signal } = context;
  const title = values.text('title') ?? '';
  if (title.trim() === '') throw invalidInput('kebab ingest-stdin needs --title', { field: '--title' });
  const sourceUri = values.text('source-uri');
  const content = await readAll(io.stdin, signal);
  const meta = { title, ...(sourceUri === undefined ? {} : { sourceUri }) };
  return runIngest(context, (app, options) => app.ingestText(content, meta, options));
}
