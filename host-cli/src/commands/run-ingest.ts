import type { App, IngestOptions, IngestReport } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { SlowFiles } from '../progress/slow-files.ts';
import { startProgress } from '../progress/start-progress.ts';

/** Does the work of one ingest command. */
export type IngestWork = (app: App, options: IngestOptions) => Promise<IngestReport>;

/** Runs an ingest command: progress while it works, its report at the end. `--json` prints events only for `ingest` itself. */
export async function runIngest(
  context: CommandContext,
  work: IngestWork,
  options: { readonly eventsInOutput: boolean } = { eventsInOutput: false },
): Promise<ExitCode> {
  const app = await context.openApp();
  const progress = startProgress(context, options);
  context.signal.addEventListener('abort', () => {
    progress.end();
    context.tell('stopping after the document in flight; Ctrl-C again quits at once');
  });
  const slow = new SlowFiles();
  const onProgress: NonNullable<IngestOptions['onProgress']> = (event) => {
    slow.onEvent(event);
    progress.onEvent(event);
  };
  const report = await work(app, { onProgress, signal: context.signal }).finally(() => progress.end());
  await context.show(report, async () => {
    const { renderIngestReport } = await import('../render/ingest-report.ts');
    return (shown, screen) => renderIngestReport(shown, screen, slow.slowest);
  });
  return exitCodeOf(report);
}

/** An error when every file that was to be processed failed. */
function exitCodeOf({ aborted, errors, new: added, updated, unchanged }: IngestReport): ExitCode {
  return !aborted && errors > 0 && added + updated + unchanged === 0 ? EXIT.error : EXIT.ok;
}
