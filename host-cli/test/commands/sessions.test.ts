import type { App } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { session, sessionTurns } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab sessions', () => {
  const app: Partial<App> = {
    listSessions: async () => [session],
    showSession: async () => sessionTurns,
    deleteSession: async () => session,
  };

  it('list prints one conversation per line', async () => {
    expect((await runCommand(['sessions', 'list'], { app })).stdout.text).toBe(
      '2026-03-01 09:30  1 turn    chunking  What are the Markdown chunking rules?\n',
    );
    expect((await runCommand(['sessions', 'list', '--json'], { app })).stdout.json).toEqual([session]);
    const none = await runCommand(['sessions', 'list'], { app: { listSessions: async () => [] } });
    expect([none.code, none.stdout.text]).toEqual([0, 'no sessions\n']);
  });

  it('show prints each answer with its citations', async () => {
    const { stdout } = await runCommand(['sessions', 'show', 'chunking'], { app });
    expect(stdout.text).toContain(
      '> What are the Markdown chunking rules?\n\nHeading boundaries come first [1].\n[1] notes/kebab-architecture.md#L661-L672\n',
    );
    expect((await runCommand(['sessions', 'show', 'chunking', '--json'], { app })).stdout.json).toEqual([sessionTurns]);
  });

  it('delete removes a conversation by its name', async () => {
    const { stdout } = await runCommand(['sessions', 'delete', 'chunking'], { app });
    expect(stdout.text).toBe('removed  chunking (1 turn)\n');
    expect((await runCommand(['sessions', 'delete', 'chunking', '--json'], { app })).stdout.json).toEqual([session]);
  });
});
