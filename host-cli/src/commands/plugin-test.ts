import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { hereOrIn, type TestTarget } from '../plugin-test/test-target.ts';

const DEFAULT_LIMIT_S = 60;

/**
 * `kebab plugin test`: the suites of everything a plugin contributes, in a process of its own, which a plugin may hang, end or
 * write to as it likes.
 */
export async function run(context: CommandContext): Promise<ExitCode> {
  const target = targetOf(context);
  if (context.values.has('in-process')) return runHere(context, target);
  const { testInChild } = await import('../plugin-test/test-in-child.ts');
  const report = await testInChild(target, context.signal);
  await context.show(report, async () => (await import('../render/plugin-test.ts')).renderPluginTest);
  return report.failed === 0 ? EXIT.ok : EXIT.error;
}

async function runHere(context: CommandContext, target: TestTarget): Promise<ExitCode> {
  const { testHere } = await import('../plugin-test/test-here.ts');
  const report = await testHere(target);
  if (report === null) return EXIT.ok; // told to the process that asked
  await context.show(report, async () => (await import('../render/plugin-test.ts')).renderPluginTest);
  return report.failed === 0 ? EXIT.ok : EXIT.error;
}

function targetOf(context: CommandContext): TestTarget {
  const limitS = context.values.number('timeout-s') ?? DEFAULT_LIMIT_S;
  if (limitS < 1) throw invalidInput('--timeout-s takes a number of seconds from 1', { field: '--timeout-s' });
  const folder = context.absolute('.');
  return { specifier: hereOrIn(folder, context.values.arg('PATH')), folder, limitMs: limitS * 1000 };
}
