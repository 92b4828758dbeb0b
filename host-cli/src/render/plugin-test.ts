import type { WireObjects } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

type PluginTest = WireObjects['plugin_test'];

/** A line for each suite with how many of its promises hold, each that does not below it with why, and the sum. */
export function renderPluginTest({ plugin, results, passed, failed, skipped }: PluginTest, { colors }: Screen): string {
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
