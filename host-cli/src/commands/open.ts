import type { Open } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { citedQueryOf } from './cited-query.ts';

/** `kebab open`: tells where the file of a cited place lies, and with `--launch` opens it there. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const app = await context.openApp();
  const place = await app.locate(await citedQueryOf(context, app), { signal });
  if (values.has('launch')) await launch(place, context);
  await context.show(place, async () => (await import('../render/open.ts')).renderOpen);
  if (place.freshness !== 'fresh') context.tell(`notice: ${NOTICES[place.freshness]}`);
  return EXIT.ok;
}

const NOTICES = {
  changed: 'the file changed since it was ingested: the place may have moved',
  deleted: 'the file is not there any more',
} as const;

async function launch(place: Open, context: CommandContext): Promise<void> {
  const { launchPlan } = await import('../launch/launch-plan.ts');
  const { launchProgram } = await import('../launch/launch-program.ts');
  const { platform } = await import('node:process');
  const plan = launchPlan(place, { platform, variable: (name) => context.variable(name) });
  await launchProgram(plan, place.path, { hasTerminal: context.io.stdin.isTerminal && context.io.stdout.isTerminal });
}
