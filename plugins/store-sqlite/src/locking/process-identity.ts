import { readFileSync } from 'node:fs';

/** A process, and when it started where that can be told: a number alone is given to another process sooner or later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since the machine started, as Linux tells them; null elsewhere. */
  readonly started: string | null;
}

/** This process. */
export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: processState(process.pid)?.started ?? null };
}

/** Whether a process has not ended. Where its start cannot be told, any process with its number counts. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  if (!exists(pid)) return false;
  const state = processState(pid);
  if (state === null) return true;
  const hasEnded = state.code === 'Z' || state.code === 'X';
  return !hasEnded && (started === null || started === state.started);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function processState(pid: number): { readonly code: string; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name in parentheses, which may hold anything; the state is the third, the start the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [code, started] = [fields[0], fields[19]];
    return code === undefined || started === undefined ? null : { code, started };
  } catch {
    return null;
  }
}
