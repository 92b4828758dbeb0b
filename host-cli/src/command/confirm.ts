import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from './command-context.ts';

/**
 * Asks on the terminal before something is removed; true for yes, also with `--yes` and where read-only mode refuses anyway, with
 * its own code. Throws `invalid_input` where there is no terminal to ask on.
 */
export async function confirm(
  command: string,
  question: () => Promise<string>,
  { io, signal, json, values, readonly }: CommandContext,
): Promise<boolean> {
  if (values.has('yes') || readonly) return true;
  if (json || !io.stdin.isTerminal || !io.stderr.isTerminal)
    throw invalidInput(`${command} needs --yes where there is no terminal to ask on`, {
      field: '--yes',
      hint: `run \`kebab ${command} --yes\` if you mean it`,
    });
  io.stderr.print(`${await question()} [y/N] `);
  for await (const typed of io.stdin.read(signal)) return /^\s*y(?:es)?\s*$/i.test(typed);
  return false;
}
