import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { ERROR_CODES } from '../../../core/src/errors/codes.ts';

/** How a watched process ended. */
export interface WatchedRun {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why the watchdog killed it, or null when it exited by itself. */
  readonly endedBy: string | null;
}

/** The limits of a process. */
export interface Bounds {
  readonly stdin?: string | Uint8Array | undefined;
  readonly deadlineMs?: number | undefined;
  /** Memory of the process and its descendants, in MiB. */
  readonly maxMemoryMb?: number | undefined;
}

const DEADLINE_MS = 60_000;
const MAX_MEMORY_MB = 2500;
const LOOK_EVERY_MS = 150;
const MAX_OUTPUT = 64 * 2 ** 20;

/** Waits for a process to exit. One that exceeds its time or memory is killed, with its descendants. */
export async function watched(child: ChildProcessWithoutNullStreams, bounds: Bounds = {}): Promise<WatchedRun> {
  const { deadlineMs = DEADLINE_MS, maxMemoryMb = MAX_MEMORY_MB } = bounds;
  const out = collect(child.stdout);
  const err = collect(child.stderr);
  child.stdin.on('error', () => undefined); // it may exit before its input is written
  child.stdin.end(bounds.stdin ?? '');
  let endedBy: string | null = null;
  const end = (why: string): void => {
    endedBy ??= why;
    endTree(child.pid);
  };
  const deadline = setTimeout(() => end(`did not end within ${deadlineMs / 1000} s`), deadlineMs);
  const look = setInterval(() => {
    const mb = treeMemoryMb(child.pid);
    if (mb > maxMemoryMb) end(`took ${Math.round(mb)} MB`);
  }, LOOK_EVERY_MS);
  const { code, signal } = await new Promise<Pick<WatchedRun, 'code' | 'signal'>>((resolve) =>
    child.once('close', (exit, by) => resolve({ code: exit, signal: by })),
  );
  clearTimeout(deadline);
  clearInterval(look);
  return { code, signal, stdout: out(), stderr: err(), endedBy };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const parts: Buffer[] = [];
  let size = 0;
  stream.on('data', (part: Buffer) => {
    size += part.length;
    if (size < MAX_OUTPUT) parts.push(part);
  });
  return () => Buffer.concat(parts).toString('utf8');
}

/** Kills a process and its descendants; one that has already exited is no error. */
export function endTree(pid: number | undefined): void {
  if (pid === undefined) return;
  for (const each of treeOf(pid))
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // gone meanwhile
    }
}

/** Kills all descendants of this process. */
export function endDescendants(): void {
  for (const child of treeOf(process.pid).slice(1)) endTree(child);
}

/** The memory of a process and its descendants, in MiB; 0 where the system does not report it. */
export function treeMemoryMb(pid: number | undefined): number {
  if (pid === undefined) return 0;
  let pages = 0;
  for (const each of treeOf(pid))
    try {
      pages += Number(readFileSync(`/proc/${each}/statm`, 'latin1').split(' ')[1]);
    } catch {
      // gone meanwhile
    }
  return (pages * 4096) / 2 ** 20;
}

/** A process and its descendants. */
function treeOf(root: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of namesIn('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const tree = [root];
  for (let at = 0; at < tree.length; at++) tree.push(...(children.get(tree[at] ?? 0) ?? []));
  return tree;
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const STACK = /^\s+at (?:async )?(?:\S+ \()?(?:file:|node:|\/|[A-Z]:\\).*:\d+:\d+\)?$|panicked at|^Trace:|Warning: /m;
const EXIT_CODES: ReadonlySet<number | null> = new Set([0, 1, 2, 3, 4]);

/**
 * What is wrong with how a command ended, or null: it must exit by itself, in time, with one of its exit codes and without a stack trace.
 */
export function problemOfRun(run: WatchedRun): string | null {
  if (run.endedBy !== null) return run.endedBy;
  if (run.signal !== null) return `died of ${run.signal}: ${run.stderr.slice(0, 300)}`;
  if (!EXIT_CODES.has(run.code)) return `exit code ${String(run.code)}: ${run.stderr.slice(0, 300)}`;
  const stack = stackTraceIn(run.stderr) ?? stackTraceIn(run.stdout);
  if (stack !== null) return stack;
  for (const line of run.stderr.split('\n')) {
    if (!line.startsWith('{"schema_version":"error.v1"')) continue;
    const problem = problemOfCode((JSON.parse(line) as { code?: unknown }).code);
    if (problem !== null) return `${problem}: ${line.slice(0, 300)}`;
  }
  return null;
}

/** A problem when a text contains a stack trace, or messages of the runtime; else null. */
export function stackTraceIn(text: string): string | null {
  const stack = STACK.exec(text);
  return stack === null ? null : `a stack trace: ${stack[0].trim()}`;
}

/** What is wrong with an error code, or null: it must be in the closed list, and not the catch-all. */
export function problemOfCode(code: unknown): string | null {
  if (code === 'generic') return 'an error of no known kind';
  return (ERROR_CODES as readonly unknown[]).includes(code) ? null : `an unknown error code, ${String(code)}`;
}

// All control characters except tab, line feed and carriage return, and the bidirectional controls.
const RAW_CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/; // eslint-disable-line no-control-regex

/** A problem when an output contains a control character that a terminal would interpret; else null. */
export function rawControlIn(output: string): string | null {
  const found = RAW_CONTROL.exec(output);
  if (found === null) return null;
  return `a raw control character: ${JSON.stringify(output.slice(Math.max(0, found.index - 30), found.index + 30))}`;
}
