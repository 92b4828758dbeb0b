import type { CommandContext } from '../cli/command-context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { runIngest, type IngestWork } from './run-ingest.ts';

/** `kebab ingest`: brings the index into agreement with the sources. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const sources = values.all('source');
  const work: IngestWork = (app, options) =>
    app.ingest({
      ...options,
      ...(sources === undefined ? {} : { sources }),
      summaryOnly: values.has('summary-only'),
      forceReingest: values.has('force-reingest'),
      verify: values.has('verify'),
      allowMassDelete: values.has('allow-mass-delete'),
    });
  return runIngest(context, work, { eventsInOutput: true });
}
