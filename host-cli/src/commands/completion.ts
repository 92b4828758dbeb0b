import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { COMMANDS } from '../cli/command-table.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { completionScript, SHELLS, type Shell } from '../render/completion-script.ts';

/** `kebab completion`: prints a script that makes a shell complete commands, flags, and files behind `@`. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const shell = context.values.arg('SHELL');
  if (!isShell(shell))
    throw invalidInput(`there is no completion for ${JSON.stringify(shell)}`, {
      field: 'SHELL',
      value: shell,
      allowed: [...SHELLS],
    });
  const script = completionScript(shell, COMMANDS);
  if (context.json) context.printJson({ shell, script });
  else context.print(script);
  return EXIT.ok;
}

function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name);
}
