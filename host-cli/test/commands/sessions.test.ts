import type { Answer, App } from '@kebab/core/app';
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

  it('show highlights failed claims in an answer, like ask', async () => {
    const finding = { kind: 'number', level: 'failed', text: '99 euros', start: 12, end: 20, cited: [1] } as const;
    const checks: NonNullable<Answer['checks']> = {
      method: 'lexical',
      sentences: 1,
      cited: 1,
      details: 1,
      reason: 'not_in_passage',
      findings: [{ ...finding, message: '99 euros stands in no cited passage' }],
    };
    const turns = sessionTurns.turns.map((turn) => ({
      ...turn,
      answer: 'Chunks cost 99 euros [1].',
      grounded: false,
      refusal_reason: 'unverified' as const,
      unsupported: ['99 euros'],
      checks,
    }));
    const { stdout } = await runCommand(['sessions', 'show', 'chunking'], {
      app: { showSession: async () => ({ ...sessionTurns, turns }) },
    });
    expect(stdout.text).toContain(
      'Chunks cost 99 euros ✗ [1].\n' +
        '  ✗ 99 euros stands in no cited passage\n' +
        '[1] notes/kebab-architecture.md#L661-L672\n' +
        'unsupported: 99 euros\n' +
        'check lexical  1 of 1 sentences cited  1 details compared  1 failed  not all of it is in what it cites\n' +
        'grounded ✗\n',
    );
  });

  it('delete removes a conversation by its name', async () => {
    const { stdout } = await runCommand(['sessions', 'delete', 'chunking'], { app });
    expect(stdout.text).toBe('removed  chunking (1 turn)\n');
    expect((await runCommand(['sessions', 'delete', 'chunking', '--json'], { app })).stdout.json).toEqual([session]);
  });
});
