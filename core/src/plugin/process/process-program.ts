import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import { firstLine } from '../plugin-failure.ts';
import { limitedFetch } from '../trust-policy.ts';

/** Sends something to the process that started this one. Throws for what cannot be sent. */
export type Send = (report: { readonly kind: string; readonly [member: string]: unknown }) => void;

/**
 * Makes this process one that runs plugins for the process that started it: it hears its messages, sends it an error that nothing
 * catches, leaves Ctrl-C to it, and ends with it. Code of plugins finds none of that at hand.
 */
export function openChannel(onMessage: (message: unknown) => void): Send {
  const send = process.send?.bind(process);
  if (send === undefined) throw new Error('this file is the program of a process that kebab starts');
  process.once('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the parent ends it in order
  process.once('uncaughtException', (error: unknown) => {
    send({ kind: 'crashed', cause: firstLine(error) }, () => process.exit(1));
  });
  process.on('message', onMessage);
  Reflect.deleteProperty(process, 'send'); // libraries take a process that has it for one of theirs
  return (report) => void send(report);
}

/**
 * Under permissions Node refuses to wait for the disk, whatever may be written. Libraries that write a file whole do that, and
 * what is written is there without: only a power cut can lose it.
 */
export function writeWithoutWaiting(): void {
  for (const name of ['fsync', 'fdatasync'] as const) {
    fs[name] = ((_fd: number, done: fs.NoParamCallback) => void setImmediate(done, null)) as (typeof fs)['fsync'];
    fs[`${name}Sync`] = () => {};
  }
  syncBuiltinESMExports();
}

/** As Node has it, whatever the global one is limited to later. */
export const fetchAnything = globalThis.fetch;

/** Leaves the code of the process no global way to a host that it did not declare; the modules of Node stay as they are. */
export function fenceNetwork(hosts: readonly string[]): void {
  globalThis.fetch = limitedFetch(hosts, fetchAnything);
  for (const name of ['WebSocket', 'EventSource']) Reflect.deleteProperty(globalThis, name);
}
