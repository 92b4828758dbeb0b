import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab eval compare`: two runs side by side. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const app = await context.openApp();
  const notices: string[] = [];
  const compare = await app.evalCompare(values.arg('A'), values.arg('B'), {
    signal: context.signal,
    strictChunkerVersion: values.has('strict-chunker-version'),
    writeReport: values.has('write-report'),
    onNotice: (line) => notices.push(line),
  });
  await context.show(compare, async () => (await import('../render/eval-compare.ts')).renderEvalCompare);
  for (const notice of notices) context.tell(notice);
  return EXIT.ok;
}
