import { hostname } from 'node:os';
import { KebabError } from '@kebab/core';

/** The process that has the lock of a writer, as it has written itself down; what it has not is null or absent. */
export interface WriterHolder {
  readonly pid: number;
  readonly host?: string | null | undefined;
  readonly command?: string | null | undefined;
  readonly since?: string | null | undefined;
}

/** This process, as a holder of the lock. */
export function thisHolder() {
  const [, , verb = ''] = process.argv;
  const command = /^[a-z][a-z-]{0,30}$/.test(verb) ? `kebab ${verb}` : null;
  return { pid: process.pid, host: hostname(), command, since: new Date().toISOString() } satisfies WriterHolder;
}

/** The error of a knowledge base that another process writes; null for one that is not known. */
export function lockedBy(location: string, holder: WriterHolder | null, path = location): KebabError<'locked'> {
  return new KebabError('locked', `${location} is being written by ${describe(holder)}`, {
    details: { path, pid: holder?.pid ?? null },
  });
}

function describe(holder: WriterHolder | null): string {
  if (holder === null) return 'another process';
  const { pid, host, since, command } = holder;
  const place = typeof host === 'string' && host !== hostname() ? ` on ${host}` : '';
  const name = typeof command === 'string' ? ` (${command})` : '';
  const time = typeof since === 'string' ? `, since ${since}` : '';
  return `process ${pid}${name}${place}${time}`;
}
