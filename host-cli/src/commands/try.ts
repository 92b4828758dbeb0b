import type { Mode, ShownPassage } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { startProgress } from '../progress/ingest-progress.ts';
import { showSearch } from './search-screen.ts';

/** `kebab try`: searches a folder once, without configuration; nothing is stored. */
export async function tryFolder(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const progress = startProgress(context);
  let passages: readonly ShownPassage[] | undefined;
  const keep = (shown: readonly ShownPassage[]): void => void (passages = shown);
  const response = await context
    .tryFolder({
      folder: context.absolute(values.arg('FOLDER')),
      question: values.arg('QUESTION'),
      k: values.number('k'),
      mode: values.text('mode') as Mode | undefined,
      explain: values.has('explain'),
      onProgress: progress.onEvent,
      onPassages: context.io.stdout.isTerminal ? keep : undefined,
    })
    .finally(() => progress.end());
  if (context.json) context.printJson(response);
  else await showSearch(response, context, { passages, hasPages: false, isAlone: true });
  return response.hits.length > 0 ? EXIT.ok : EXIT.nothing;
}
