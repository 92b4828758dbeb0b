import type { Answer, AnswerEvent, App } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { answer, explained, gated, judged, session, sessionTurns } from '../examples/answers.ts';
import { configView } from '../examples/reports.ts';
import { hit, time } from '../examples/searches.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

type Asked = Parameters<App['ask']>;

async function ask(
  line: readonly string[],
  result: Answer,
  test: CommandTest & { readonly tokens?: readonly string[] } = {},
) {
  const asked: Asked[] = [];
  const stamp = { schema_version: 'answer_event.v1', ts: time } as const;
  const events: readonly AnswerEvent[] = [
    { ...stamp, kind: 'retrieval_done', hits: [hit] },
    ...(test.tokens ?? []).map((delta) => ({ ...stamp, kind: 'token', delta }) as const),
    { ...stamp, kind: 'final', answer: result },
  ];
  const app: Partial<App> = {
    ask: async (...call: Asked) => {
      asked.push(call);
      for (const event of events) call[1]?.onEvent?.(event);
      return result;
    },
    configView: async () => configView,
  };
  return { asked, events, ...(await runCommand(['ask', ...line], { app, ...test })) };
}

describe('kebab ask', () => {
  it('asks what the command line says', async () => {
    const flags = ['-k', '3', '--mode', 'lexical', '--tag', 'a', '--temperature', '0.5', '--seed', '7', '--multi-hop'];
    const { asked } = await ask([...flags, '--session', 'tea', '--explain', 'how', 'long?'], explained);
    expect(asked[0]?.[0]).toEqual({
      question: 'how long?',
      filters: { tag: ['a'] },
      k: 3,
      mode: 'lexical',
      temperature: 0.5,
      seed: 7,
      multiHop: true,
      session: 'tea',
      explain: true,
    });
    expect((await ask(['why'], answer)).asked[0]?.[0]).toEqual({ question: 'why', filters: {} });
  });

  it('ends with 0 when grounded, with 1 when refused', async () => {
    const codes = [answer, gated, judged].map(async (result) => (await ask(['why'], result)).code);
    expect(await Promise.all(codes)).toEqual([0, 1, 1]);
  });

  it('prints an answer into a pipe once it is complete', async () => {
    const { stdout, stderr } = await ask(['why'], answer, { tokens: ['Heading ', 'boundaries'] });
    expect(stdout.text.startsWith('Heading boundaries come first [1]. Code')).toBe(true);
    expect(stdout.text.match(/Heading/g)).toHaveLength(1);
    expect(stderr.text).toBe('');
  });

  it('lets a terminal see it grow, then shows what it cites', async () => {
    const short = { ...answer, answer: 'Tea [1].' };
    const { stdout } = await ask(['why'], short, { tokens: ['Tea', ' [1].'], columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout.text.split('\n').slice(0, 4)).toEqual([
      'Tea [1].',
      '',
      '─────────────────────────────────────────────────────────',
      '[1] notes/kebab-architecture.md#L661-L672',
    ]);
  });

  it('shows a refusal below what had grown of an answer', async () => {
    const { stdout } = await ask(['why'], judged, {
      tokens: ['Perhaps', ' tea.'],
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(stdout.text.startsWith('Perhaps tea.\n\nNot enough evidence.')).toBe(true);
  });

  it('does not repeat an answer that was interrupted', async () => {
    const stopped: Answer = { ...judged, answer: 'Perhaps', refusal_reason: 'llm_stream_aborted', citations: [] };
    const { stdout, code } = await ask(['why'], stopped, { tokens: ['Perhaps '], columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout.text.match(/Perhaps/g)).toHaveLength(1);
    expect([code, stdout.text.endsWith('3 chunks searched, 0 grounded\n')]).toEqual([1, true]);
  });

  it('prints the answer as it is with --json, and the events with --stream', async () => {
    expect((await ask(['--json', 'why'], explained)).stdout.json).toEqual([explained]);
    const streamed = await ask(['--stream', 'why'], gated, { tokens: ['a'] });
    expect(streamed.stdout.json).toEqual(streamed.events);
    expect(streamed.code).toBe(1);
  });

  it('explains with --explain, once, on a terminal too', async () => {
    const { stdout } = await ask(['--explain', 'why'], explained, {
      tokens: ['Heading'],
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    expect(stdout.text.startsWith('▎ Heading boundaries come first\n')).toBe(true);
    expect(stdout.text).toContain('  fusion          rrf');
  });

  it('warns on stderr of file references that failed, with --json as well, and is silenced by --quiet', async () => {
    const alerts = [
      { level: 'warn', code: 'file_ref_not_found', path: 'x.md', message: 'there is no such file' },
    ] as const;
    const warning = 'warning: file ref x.md: there is no such file\n';
    for (const flags of [[], ['--json'], ['--stream']])
      expect((await ask([...flags, '@x.md'], { ...answer, alerts })).stderr.text).toBe(warning);
    expect((await ask(['--quiet', '@x.md'], { ...answer, alerts })).stderr.text).toBe('');
  });

  it('tells people what did not run', async () => {
    const degraded = [{ stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' }] as const;
    expect((await ask(['why'], { ...answer, degraded })).stderr.text).toContain(
      'notice: vector search off (model_not_pulled)',
    );
    expect((await ask(['--json', 'why'], { ...answer, degraded })).stderr.text).toBe('');
  });

  it('reports an error with its code', async () => {
    const failing: Partial<App> = { ask: () => Promise.reject(new Error('broken')) };
    const { code, stdout, stderr } = await runCommand(['ask', '--stream', '--json', 'why'], { app: failing });
    expect([code, stdout.text]).toEqual([2, '']);
    expect(stderr.json).toMatchObject([{ schema_version: 'error.v1' }]);
  });

  it('needs a question', async () => {
    expect(await runCommand(['ask'])).toMatchObject({ code: 2, opened: [] });
  });
});

describe('kebab sessions', () => {
  const app: Partial<App> = {
    listSessions: async () => [session],
    showSession: async () => sessionTurns,
    deleteSession: async () => session,
  };

  it('are listed, one a line', async () => {
    expect((await runCommand(['sessions', 'list'], { app })).stdout.text).toBe(
      '2026-03-01 09:30  1 turn    chunking  What are the Markdown chunking rules?\n',
    );
    expect((await runCommand(['sessions', 'list', '--json'], { app })).stdout.json).toEqual([session]);
    const none = await runCommand(['sessions', 'list'], { app: { listSessions: async () => [] } });
    expect([none.code, none.stdout.text]).toEqual([0, 'no sessions\n']);
  });

  it('are shown with what each answer cites', async () => {
    const { stdout } = await runCommand(['sessions', 'show', 'chunking'], { app });
    expect(stdout.text).toContain(
      '> What are the Markdown chunking rules?\n\nHeading boundaries come first [1].\n[1] notes/kebab-architecture.md#L661-L672\n',
    );
    expect((await runCommand(['sessions', 'show', 'chunking', '--json'], { app })).stdout.json).toEqual([sessionTurns]);
  });

  it('are removed by name', async () => {
    const { stdout } = await runCommand(['sessions', 'delete', 'chunking'], { app });
    expect(stdout.text).toBe('removed  chunking (1 turn)\n');
    expect((await runCommand(['sessions', 'delete', 'chunking', '--json'], { app })).stdout.json).toEqual([session]);
  });
});
