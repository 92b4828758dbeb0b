import type { ChunkId } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { showFetch } from './show-fetch.ts';

/** `kebab fetch chunk`: reads a chunk, with its neighbours when asked. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const app = await context.openApp();
  const chunkId = (await app.resolveId('chunk', values.arg('ID'))) as ChunkId;
  const neighbours = values.number('context');
  const options = { signal, ...(neighbours === undefined ? {} : { context: neighbours }) };
  await showFetch(await app.fetch({ kind: 'chunk', chunkId }, options), context);
  return EXIT.ok;
}
