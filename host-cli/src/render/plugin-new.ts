import type { WireObjects } from '@kebab/core/app';
import { printable } from '../io/printable.ts';

/** The files that were made, and what comes next. */
export function renderPluginNew({ created }: WireObjects['plugin_new']): string {
  const folder = created[0]?.split('/', 1)[0] ?? '.';
  const next = [`cd ${printable(folder)}`, 'npm install', 'npm test', 'kebab plugin test .'];
  return `${[...created.map(printable), '', 'next:', ...next.map((line) => `  ${line}`)].join('\n')}\n`;
}
