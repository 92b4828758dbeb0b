import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { invalidInput, type Open } from '@kebab/core/app';

/** A program to start: never through a shell, so that no file name is run as a command. */
export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether it may want the terminal, as an editor does. */
  readonly isEditor: boolean;
}

/** Line arguments of editors that do not take `+LINE`. */
const LINE_ARGUMENTS: readonly (readonly [names: RegExp, args: (file: string, line: number) => readonly string[]])[] = [
  [/^(code|code-insiders|codium|cursor|windsurf)$/, (file, line) => ['--goto', `${file}:${line}`]],
  [/^(subl|zed|hx|helix)$/, (file, line) => [`${file}:${line}`]],
];

/** What opens a file to view rather than edit. */
const VIEWERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/**
 * Says how a place is opened. Text goes to `$VISUAL`, else `$EDITOR`, at its line; without these to the system's editor,
 * which never runs what it opens. Pages and images go to the system's viewer.
 */
export function launchPlan(
  { path: file, line, page }: Open,
  {
    platform,
    variable,
  }: { readonly platform: NodeJS.Platform; readonly variable: (name: string) => string | undefined },
): LaunchPlan {
  const viewer = VIEWERS[platform] ?? 'xdg-open';
  if (page !== null || !isText(file)) return { command: viewer, args: [file], isEditor: false };
  const [command, ...args] = wordsOf(variable('VISUAL')) ?? wordsOf(variable('EDITOR')) ?? [];
  if (command === undefined) return { ...plainEditor(platform, viewer, file), isEditor: false };
  return { command, args: [...args, ...positionOf(command, file, line)], isEditor: true };
}

/** A variable may carry arguments: `code --wait`. */
function wordsOf(value: string | undefined): readonly string[] | undefined {
  const words = (value ?? '').split(/\s+/).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

function positionOf(command: string, file: string, line: number | null): readonly string[] {
  if (line === null) return [file];
  const name = path.basename(command).replace(/\.(exe|cmd)$/i, '');
  const own = LINE_ARGUMENTS.find(([names]) => names.test(name))?.[1];
  return own === undefined ? [`+${line}`, file] : own(file, line);
}

/** Windows would run a `.js` that is opened, macOS a `.command`. */
function plainEditor(platform: NodeJS.Platform, viewer: string, file: string): Pick<LaunchPlan, 'command' | 'args'> {
  if (platform === 'win32') return { command: 'notepad.exe', args: [file] };
  return { command: viewer, args: platform === 'darwin' ? ['-t', file] : [file] };
}

function isText(file: string): boolean {
  return !/\.(pdf|png|jpe?g|webp|gif|tiff?|bmp|m4a|mp3|wav|flac|ogg)$/i.test(file);
}

/**
 * Starts a program for a file. An editor in a terminal is waited for; everything else goes on by itself. Throws what the
 * file system says of a file that is not there, and `invalid_input` for a program that does not start.
 */
export async function launchProgram(
  { command, args, isEditor }: LaunchPlan,
  file: string,
  { hasTerminal }: { readonly hasTerminal: boolean },
): Promise<void> {
  statSync(file); // a viewer reports a missing file where it is easily missed
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
