import { printable, type IngestReport, type Mode, type ShownPassage } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { startProgress } from '../progress/ingest-progress.ts';
import { counted } from '../screen/shown-values.ts';
import { showSearch } from './search-screen.ts';

/** `kebab try`: searches a folder once, without configuration; nothing is stored. */
export async function tryFolder(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const progress = startProgress(context);
  let passages: readonly ShownPassage[] | undefined;
  const keep = (shown: readonly ShownPassage[]): void => void (passages = shown);
  let ingested: IngestReport | undefined;
  const response = await context
    .tryFolder({
      folder: context.absolute(values.arg('FOLDER')),
      question: values.arg('QUESTION'),
      k: values.number('k'),
      mode: values.text('mode') as Mode | undefined,
      explain: values.has('explain'),
      onProgress: progress.onEvent,
      onIngested: (report) => void (ingested = report),
      onPassages: context.io.stdout.isTerminal ? keep : undefined,
    })
    .finally(() => progress.end());
  if (ingested !== undefined) noteUnread(ingested, context);
  if (context.json) context.printJson(response);
  else await showSearch(response, context, { passages, hasPages: false, isAlone: true });
  return response.hits.length > 0 ? EXIT.ok : EXIT.nothing;
}

const MAX_NAMED = 5;

/** Reports files that could not be read, and a folder without documents, in which no search can find anything. */
function noteUnread(report: IngestReport, context: CommandContext): void {
  const folder = printable(context.values.arg('FOLDER'));
  const failed = (report.items ?? []).filter(({ kind }) => kind === 'error');
  for (const { doc_path: path, error } of failed.slice(0, MAX_NAMED))
    context.note(`notice: ${printable(`${path} could not be read: ${error ?? ''}`)}`);
  if (failed.length > MAX_NAMED)
    context.note(`notice: ${counted(failed.length - MAX_NAMED, 'more file')} could not be read`);
  if (report.new > 0) return;
  const skipped = report.skipped === 0 ? '' : `; ${counted(report.skipped, 'file')} skipped`;
  context.note(
    failed.length > 0
      ? `notice: nothing in ${folder} could be read`
      : `notice: there are no documents in ${folder}${skipped}`,
  );
}
