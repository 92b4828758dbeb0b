import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab eval aggregate`: the metrics of a run, computed again from its results. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const aggregate = await app.evalAggregate(context.values.arg('RUN'), { signal: context.signal });
  await context.show(aggregate, async () => (await import('../render/eval-metrics.ts')).renderEvalAggregate);
  return EXIT.ok;
}
