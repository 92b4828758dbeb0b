import { existsSync } from 'node:fs';
import path from 'node:path';
import { invalidInput, type PluginTest } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from '../screen/screen.ts';
import { testHere, testInChild, type TestTarget } from './plugin-test-process.ts';

const DEFAULT_LIMIT_S = 60;

/**
 * `kebab plugin test`: the suites of everything a plugin contributes, in a process of its own, which a plugin may hang, end or
 * print to without harm.
 */
export async function pluginTest(context: CommandContext): Promise<ExitCode> {
  const target = targetOf(context);
  const isHere = context.values.has('in-process');
  const report = isHere ? await testHere(target) : await testInChild(target, context.signal);
  if (report === null) return EXIT.ok; // sent to the process that started this one
  await context.show(report, renderReport);
  const untested = report.results.filter(
    ({ status, message }) => status === 'skip' && /needs fixtures\./.test(message ?? ''),
  );
  if (untested.length > 0) context.note(untestedNotice(untested.map(({ suite }) => suite)));
  return report.failed === 0 ? EXIT.ok : EXIT.error;
}

/** What an author is told whose suites had nothing to run on. */
function untestedNotice(suites: readonly string[]): string {
  return `notice: not tested for want of fixtures: ${suites.map(printable).join(', ')}; export \`fixtures\` beside the plugin, or name their module in \`kebab.fixtures\` of package.json`;
}

function targetOf(context: CommandContext): TestTarget {
  const limitS = context.values.number('timeout-s') ?? DEFAULT_LIMIT_S;
  if (limitS < 1) throw invalidInput('--timeout-s takes a number of seconds from 1', { field: '--timeout-s' });
  const folder = context.absolute('.');
  return { specifier: hereOrIn(folder, context.values.arg('PATH')), folder, limitMs: limitS * 1000 };
}

/** An existing path is a path even without a leading dot; anything else is the name of a package. */
function hereOrIn(folder: string, typed: string): string {
  const file = path.resolve(folder, typed);
  return existsSync(file) || typed.startsWith('.') ? file : typed;
}

/** A line for each suite with the number of checks passed, those that failed below it with why, and the sum. */
function renderReport({ plugin, results, passed, failed, skipped }: PluginTest, { colors }: Screen): string {
  const suites = [...new Set(results.map(({ suite }) => suite))];
  const lines = suites.flatMap((suite) => {
    const own = results.filter((result) => result.suite === suite);
    const kept = own.filter(({ status }) => status === 'pass').length;
    const isSound = own.every(({ status }) => status !== 'fail');
    return [
      `${isSound ? colors.green('✓') : colors.red('✗')} ${printable(suite)}  ${kept} of ${own.length}`,
      ...own.flatMap(({ name, status, message }) => {
        if (status === 'pass') return [];
        const mark = status === 'fail' ? colors.red('✗') : colors.dim('-');
        return [`  ${mark} ${printable(name)}`, `    ${colors.dim(printable(message ?? ''))}`];
      }),
    ];
  });
  const sum = [`${passed} passed`, `${failed} failed`, ...(skipped === 0 ? [] : [`${skipped} skipped`])].join(', ');
  return `${[...lines, '', `${printable(plugin)}: ${sum}`].join('\n')}\n`;
}
