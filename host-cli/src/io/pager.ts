import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';

/** A program that shows text page by page. */
export interface Pager {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The options of `less` if none are set: exit when everything fits, keep colours, leave the text on the screen. */
const LESS = 'FRX';

/** The pager named in the environment, `less` by default; null for `PAGER=`, `PAGER=cat` and a dumb terminal. */
export function pagerOf(variable: (name: string) => string | undefined): Pager | null {
  const [command = '', ...args] = (variable('PAGER') ?? 'less').split(/\s+/).filter((word) => word !== '');
  if (command === '' || command === 'cat' || variable('TERM') === 'dumb') return null;
  const isLess = path.basename(command).replace(/\.exe$/i, '') === 'less';
  const env: Record<string, string> = { LESSCHARSET: variable('LESSCHARSET') ?? 'utf-8' };
  if (isLess) env['LESS'] = variable('LESS') ?? LESS;
  return { command, args: isLess && args.length === 0 && variable('LESS') === undefined ? [`-${LESS}`] : args, env };
}

/**
 * Shows a text in a pager and waits until the user quits it. False if the text fits on the terminal, or there is no pager or it does not
 * start; the caller then prints the text.
 */
export async function showInPager(
  text: string,
  { rows, pager }: { readonly rows: number; readonly pager: Pager | null },
): Promise<boolean> {
  if (pager === null || text.split('\n').length <= rows) return false;
  const { command, args, env } = pager;
  // Without a shell: PAGER contains a command and its arguments, like EDITOR.
  const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'], env: { ...process.env, ...env } });
  child.stdin.on('error', () => undefined); // the user may quit before the end
  child.stdin.end(text);
  try {
    await once(child, 'spawn');
  } catch {
    return false;
  }
  const giveBack = ignoreInterrupts();
  if (child.exitCode === null) await once(child, 'close');
  giveBack();
  return true;
}

function ignore(): void {
  // the pager gets the signal as well, and handles it
}

/** Ctrl-C belongs to the pager while it runs: if kebab exited first, the pager would lose its terminal. */
function ignoreInterrupts(): () => void {
  const listeners = process.listeners('SIGINT');
  process.on('SIGINT', ignore);
  for (const listener of listeners) process.off('SIGINT', listener);
  return () => {
    for (const listener of listeners) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  };
}
