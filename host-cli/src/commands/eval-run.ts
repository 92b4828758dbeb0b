import type { EvalRequest, Mode } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { DEFAULT_SUITE } from '../cli/eval-flags.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { evalProgress } from '../progress/eval-progress.ts';

/** `kebab eval run`: runs a golden suite. It ends with an error when every query failed. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const progress = evalProgress(context);
  const notices: string[] = [];
  const report = await app
    .evalRun(requestOf(context), {
      signal: context.signal,
      onProgress: progress.onEvent,
      onNotice: (line) => notices.push(line),
    })
    .finally(() => progress.end());
  await context.show(report, async () => (await import('../render/eval-metrics.ts')).renderEvalRun);
  for (const notice of notices) context.tell(notice);
  return report.failed > 0 && report.failed === report.queries ? EXIT.error : EXIT.ok;
}

function requestOf(context: CommandContext): EvalRequest {
  const { values } = context;
  const [k, temperature, seed] = [values.number('k'), values.number('temperature'), values.number('seed')];
  const mode = values.text('mode') as Mode | undefined;
  return {
    suite: context.absolute(suiteOf(context)),
    withRag: values.has('with-rag'),
    ...(mode === undefined ? {} : { mode }),
    ...(k === undefined ? {} : { k }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
  };
}

function suiteOf(context: CommandContext): string {
  const named = context.values.text('suite') ?? context.variable('KEBAB_EVAL_GOLDEN') ?? '';
  return named === '' ? DEFAULT_SUITE : named;
}
