import { setTimeout as sleep } from 'node:timers/promises';

/** What a component may have left running, as Node names it. Others come and go with whoever runs the tests. */
const LEAKS: ReadonlySet<string> = new Set([
  'Timeout',
  'Immediate',
  'TCPSocketWrap',
  'TCPServerWrap',
  'UDPWrap',
  'TLSWrap',
  'ProcessWrap',
  'FSEventWrap',
  'StatWatcher',
  'Worker',
  'MessagePort',
  'HTTP2Session',
]);
const WAIT_MS = 50;
const MOST_WAITS = 30;

/** How many things of each kind keep this process alive now. */
export type OpenHandles = ReadonlyMap<string, number>;

/** Counts what keeps this process alive: timers, sockets, servers, child processes, threads, file watchers. */
export function openHandles(): OpenHandles {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo())
    if (LEAKS.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** What is open beyond what was open `before`, once it has had a second and a half to end; empty when nothing was left. */
export async function leakedSince(before: OpenHandles): Promise<readonly string[]> {
  for (let waits = 0; ; waits++) {
    const leaked = [...openHandles()].flatMap(([name, count]) => {
      const more = count - (before.get(name) ?? 0);
      return more > 0 ? [`${more} ${name}`] : [];
    });
    if (leaked.length === 0 || waits === MOST_WAITS) return leaked;
    await sleep(WAIT_MS);
  }
}
