import type { ErrorV1 } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

/** An error for people: what failed in one line, the messages behind it (outermost first), and what to do. */
export function renderError({ message, hint }: ErrorV1, causes: readonly string[], { colors }: Screen): string {
  const lines = [`${colors.red('error:')} ${printable(message)}`];
  for (const cause of causes) lines.push(colors.dim(`  cause: ${printable(cause)}`));
  if (hint !== null) lines.push(`  hint: ${printable(hint)}`);
  return `${lines.join('\n')}\n`;
}
