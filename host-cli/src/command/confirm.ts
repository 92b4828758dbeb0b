import { invalidInput, shellWord } from '@kebab/core/app';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { wrapWords } from '../screen/text-width.ts';
import type { CommandContext, CommandHost } from './command-context.ts';

/**
 * Asks on the terminal before something is removed; true for yes, with `--yes`, and in read-only mode, where the operation itself fails
 * with its own code. Throws `invalid_input` if there is no terminal to ask on.
 */
export async function confirm(
  command: string,
  question: () => Promise<string>,
  { io, signal, json, values, readonly, typed: line }: CommandContext,
): Promise<boolean> {
  if (values.has('yes') || readonly) return true;
  if (json || !io.stdin.isTerminal || !io.stderr.isTerminal)
    throw invalidInput(`${command} needs --yes where there is no terminal to ask on`, {
      field: '--yes',
      hint: `run \`${withYes(line)}\` if you mean it`,
    });
  return isYes(await question(), { io, signal });
}

async function isYes(question: string, { io, signal }: Pick<CommandHost, 'io' | 'signal'>): Promise<boolean> {
  const lines = wrapWords(`${question} [y/N]`, io.stderr.columns ?? Infinity);
  io.stderr.print(`${lines.join('\n')} `);
  for await (const typed of io.stdin.read(signal)) return /^\s*y(?:es)?\s*$/i.test(typed);
  return false;
}

/** The typed command line with `--yes` added, so that it removes the same things. */
function withYes(typed: readonly string[]): string {
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  return ['kebab', ...[...typed.slice(0, end), '--yes', ...typed.slice(end)].map(shellWord)].join(' ');
}

/**
 * Asks on the terminal whether to install a missing part of kebab; if yes, installs it and runs the command again. Returns the exit code of
 * that run; null without a terminal, in CI, and after a no.
 */
export async function offerPart(
  part: string,
  line: readonly string[],
  { io, signal, setup, runAgain }: Pick<CommandHost, 'io' | 'signal' | 'setup' | 'runAgain'>,
): Promise<ExitCode | null> {
  const isCi = !/^(?:0|false|)$/i.test(setup.environment.env['CI'] ?? '');
  if (runAgain === undefined || isCi || !io.stdin.isTerminal || !io.stderr.isTerminal) return null;
  if (!(await isYes(`Install the part ${part}, and run this again?`, { io, signal }))) return null;
  const installed = await runAgain(['plugin', 'install', part]);
  return installed === EXIT.ok ? runAgain(line) : installed;
}
