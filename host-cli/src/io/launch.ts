import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { invalidInput, type Open } from '@kebab/core/app';

/** A program to start, never through a shell, so that no file name is run as a command. */
export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether it may need the terminal, like an editor. */
  readonly isEditor: boolean;
}

/** Line arguments of editors that do not support `+LINE`. */
const LINE_ARGUMENTS: readonly (readonly [names: RegExp, args: (file: string, line: number) => readonly string[]])[] = [
  [/^(code|code-insiders|codium|cursor|windsurf)$/, (file, line) => ['--goto', `${file}:${line}`]],
  [/^(subl|zed|hx|helix)$/, (file, line) => [`${file}:${line}`]],
];

/** Editors that show themselves in a terminal. */
const IN_TERMINAL = /^(?:vi|vim|nvim|view|ex|ed|nano|pico|micro|hx|helix|kak|joe|jed|ne|mcedit)$/;

/** The program that opens a file for viewing rather than editing. */
const VIEWERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer.exe' };

/**
 * Decides how a place is opened. Text is opened in `$VISUAL`, otherwise `$EDITOR`, at its line; without these in the system's editor, which
 * never executes the file; so too, without a terminal, where the named editor needs one. Pages and images are opened in the system's viewer.
 */
export function launchPlan(
  { path: file, line, page }: Open,
  {
    platform,
    variable,
    hasTerminal = true,
  }: {
    readonly platform: NodeJS.Platform;
    readonly variable: (name: string) => string | undefined;
    readonly hasTerminal?: boolean | undefined;
  },
): LaunchPlan {
  const viewer = VIEWERS[platform] ?? 'xdg-open';
  if (page !== null || !isText(file)) return { command: viewer, args: [file], isEditor: false };
  const [command, ...args] = wordsOf(variable('VISUAL')) ?? wordsOf(variable('EDITOR')) ?? [];
  const isUsable = command !== undefined && (hasTerminal || !needsTerminal(command, args));
  if (!isUsable) return { ...plainEditor(platform, viewer, file), isEditor: false };
  return { command, args: [...args, ...positionOf(command, file, line)], isEditor: true };
}

/** A variable may contain arguments: `code --wait`. */
function wordsOf(value: string | undefined): readonly string[] | undefined {
  const words = (value ?? '').split(/\s+/).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}

function positionOf(command: string, file: string, line: number | null): readonly string[] {
  if (line === null) return [file];
  const own = LINE_ARGUMENTS.find(([names]) => names.test(nameOf(command)))?.[1];
  return own === undefined ? [`+${line}`, file] : own(file, line);
}

function needsTerminal(command: string, args: readonly string[]): boolean {
  return IN_TERMINAL.test(nameOf(command)) || args.some((one) => /^(?:-nw|-t|--tty|--no-window-system)$/.test(one));
}

function nameOf(command: string): string {
  return path.basename(command).replace(/\.(exe|cmd)$/i, '');
}

/** Opening a `.js` on Windows, or a `.command` on macOS, would execute it. */
function plainEditor(platform: NodeJS.Platform, viewer: string, file: string): Pick<LaunchPlan, 'command' | 'args'> {
  if (platform === 'win32') return { command: 'notepad.exe', args: [file] };
  return { command: viewer, args: platform === 'darwin' ? ['-t', file] : [file] };
}

function isText(file: string): boolean {
  return !/\.(pdf|png|jpe?g|webp|gif|tiff?|bmp|m4a|mp3|wav|flac|ogg)$/i.test(file);
}

/**
 * Starts a program for a file. Waits for an editor in a terminal; everything else runs in the background. Throws the error of the file
 * system for a missing file, and `invalid_input` for a program that does not start.
 */
export async function launchProgram(
  { command, args, isEditor }: LaunchPlan,
  file: string,
  { hasTerminal }: { readonly hasTerminal: boolean },
): Promise<void> {
  statSync(file); // a viewer's own report of a missing file is easily overlooked
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

/** Starts the user's browser in the background; false if there is none to start. */
export async function openInBrowser(address: string, system: NodeJS.Platform): Promise<boolean> {
  const child = spawn(VIEWERS[system] ?? 'xdg-open', [address], { shell: false, detached: true, stdio: 'ignore' });
  const isStarted = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => resolve(true));
  });
  if (isStarted) child.unref();
  return isStarted;
}
