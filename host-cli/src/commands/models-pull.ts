import type { ModelPull } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { pullProgress } from '../progress/pull-progress.ts';

/** `kebab models pull`: downloads a model. A download that was interrupted goes on where it stopped. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const model = context.values.arg('MODEL') === '' ? undefined : context.values.arg('MODEL');
  const app = await context.openApp();
  const progress = pullProgress(context);
  try {
    const last = await app.modelPull(model, { signal: context.signal, onProgress: progress.onEvent });
    progress.end();
    if (!context.json) context.io.stdout.line(doneText(last));
    return EXIT.ok;
  } finally {
    progress.end();
  }
}

function doneText({ model, path }: ModelPull): string {
  return path === null ? `${model} is here` : `${model} is here: ${path}`;
}
