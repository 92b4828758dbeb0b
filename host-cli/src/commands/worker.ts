import { printable, type WorkReport } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { counted } from '../screen/shown-values.ts';

/** `kebab worker`: works off the queue until it is interrupted, and finishes the file in progress first. */
export async function worker(context: CommandContext): Promise<ExitCode> {
  const { values, signal, quiet } = context;
  const app = await context.openApp();
  const report = await app.work({
    signal,
    untilEmpty: values.has('until-empty'),
    onJob: ({ what, problem }) => {
      if (!quiet && problem !== null) context.note(`${printable(what)}: ${printable(problem)}`);
    },
  });
  context.show(report, renderWorked);
  return report.failed === 0 ? EXIT.ok : EXIT.filesFailed;
}

function renderWorked({ files, failed, retried }: WorkReport): string {
  const rest = [
    ...(failed === 0 ? [] : [`${counted(failed, 'file')} could not be read`]),
    ...(retried === 0 ? [] : [`${counted(retried, 'job')} went back to the queue`]),
  ];
  return `worked off ${[counted(files, 'file'), ...rest].join(', ')}\n`;
}
