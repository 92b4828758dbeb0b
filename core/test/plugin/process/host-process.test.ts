import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostProcess } from '../../../src/plugin/process/host-process.ts';
import type { ProcessStart } from '../../../src/plugin/process/process-program.ts';

/** Programs: one never reports that it has started, the other answers at once. */
const PROGRAMS = {
  silent: `process.on('message', () => {});`,
  answering: `process.on('message', ({ kind, id, request }) => {
    if (kind === 'ask') process.send({ kind: 'answer', id, outcome: { kind: 'value', value: request } });
  });`,
} as const;

function processOf(program: keyof typeof PROGRAMS): HostProcess<ProcessStart, string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'program.mjs');
  writeFileSync(file, PROGRAMS[program]);
  const opened = new HostProcess<ProcessStart, string>({
    start: () => ({
      process: { url: pathToFileURL(file), env: process.env, memoryMb: 64 },
      start: { hosts: null, memoryMb: 64 },
    }),
  });
  onTestFinished(() => opened.end(0));
  return opened;
}

describe('a host process that is starting', () => {
  it('does not block a caller whose signal has fired', async () => {
    const giveUp = new AbortController();
    const asked = processOf('silent').ask('load', { ms: null, signal: giveUp.signal });
    giveUp.abort();
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('continues to start for callers that still wait', async () => {
    const opened = processOf('answering');
    const giveUp = new AbortController();
    const cancelled = opened.ask('load', { ms: null, signal: giveUp.signal });
    const answered = opened.ask('load', { ms: null });
    giveUp.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(await answered).toBe('load');
    expect(opened.generation).toBe(1);
  });

  it('can be ended, which rejects pending callers', async () => {
    const opened = processOf('silent');
    const refused = [1, 2].map(async () => expect(opened.ask('load', { ms: null })).rejects.toThrow(/closed/));
    await opened.end(60_000);
    await Promise.all(refused);
  });
});
