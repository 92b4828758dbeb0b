import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { invalidInput } from '@kebab/core/app';
import type { LaunchPlan } from './launch-plan.ts';

/**
 * Starts a program for a file. An editor in a terminal is waited for; everything else goes on by itself. Throws what the
 * file system says of a file that is not there, and `invalid_input` for a program that does not start.
 */
export async function launchProgram(
  { command, args, isEditor }: LaunchPlan,
  file: string,
  { hasTerminal }: { readonly hasTerminal: boolean },
): Promise<void> {
  statSync(file); // a viewer that finds nothing says so where nobody looks
  const isWaitedFor = isEditor && hasTerminal;
  const child = spawn(command, args, {
    shell: false,
    detached: !isWaitedFor,
    stdio: isWaitedFor ? 'inherit' : 'ignore',
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(command, error)));
    child.once(isWaitedFor ? 'exit' : 'spawn', () => resolve());
  });
  if (!isWaitedFor) child.unref();
}

function notStarted(command: string, error: Error): Error {
  return invalidInput(`${command} cannot be started: ${error.message}`, {
    field: '--launch',
    value: command,
    hint: 'name your editor in VISUAL or EDITOR, or run the command without --launch and open the file yourself',
  });
}
