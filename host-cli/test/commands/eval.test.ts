import type { App, EvalRequest } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { evalAggregate, evalCompare, evalRun } from '../examples.ts';
import { runCommand, type CommandOutcome } from '../fakes/run-command.ts';

interface Evaluating {
  readonly app: Partial<App>;
  readonly requests: EvalRequest[];
  readonly compared: unknown[];
}

function evaluating(answer: Partial<typeof evalRun> = {}): Evaluating {
  const requests: EvalRequest[] = [];
  const compared: unknown[] = [];
  const app: Partial<App> = {
    evalRun: async (request, options) => {
      requests.push(request);
      for (let done = 1; done <= 20; done++) options?.onProgress?.({ done, total: 20, queryId: `q${done}` });
      options?.onNotice?.('query b failed: generic: it broke');
      return { ...evalRun, ...answer };
    },
    evalAggregate: async (runId) => ({ ...evalAggregate, run_id: runId }),
    evalCompare: async (a, b, { onNotice, signal: _signal, ...options } = {}) => {
      compared.push([a, b, options]);
      onNotice?.('compared by document');
      return evalCompare;
    },
  };
  return { app, requests, compared };
}

const run = (line: string, test: Parameters<typeof runCommand>[1]): Promise<CommandOutcome> =>
  runCommand(line.split(' '), test);

describe('kebab eval run', () => {
  it('uses the default suite, or the one named by the environment or a flag', async () => {
    const { app, requests } = evaluating();
    await run('eval run', { app });
    await run('eval run', { app, env: { KEBAB_EVAL_GOLDEN: '' } });
    await run('eval run', { app, env: { KEBAB_EVAL_GOLDEN: 'mine.yaml' } });
    await run('eval run --suite /abs/other.yaml', { app, env: { KEBAB_EVAL_GOLDEN: 'mine.yaml' } });
    expect(requests.map(({ suite }) => suite)).toEqual([
      '/work-folder/fixtures/golden_queries.yaml',
      '/work-folder/fixtures/golden_queries.yaml',
      '/work-folder/mine.yaml',
      '/abs/other.yaml',
    ]);
  });

  it('passes its flags on to the App', async () => {
    const { app, requests } = evaluating();
    const { stdout, stderr } = await run(
      'eval run --suite s.yaml --mode lexical -k 5 --with-rag --temperature 0.5 --seed 7 --json',
      { app },
    );
    expect(requests).toEqual([
      { suite: '/work-folder/s.yaml', mode: 'lexical', k: 5, withRag: true, temperature: 0.5, seed: 7 },
    ]);
    expect(stdout.json).toEqual([evalRun]);
    expect(stderr.text).toBe('');
  });

  it('prints notices on stderr, unless quiet', async () => {
    const { app } = evaluating();
    const loud = await run('eval run', { app });
    expect([loud.code, loud.stderr.text]).toEqual([0, 'query b failed: generic: it broke\n']);
    expect((await run('eval run --quiet', { app })).stderr.text).toBe('');
  });

  it('shows progress as lines when requested', async () => {
    const { app } = evaluating();
    const { stderr } = await run('eval run', { app, env: { KEBAB_PROGRESS: 'plain' } });
    const lines = stderr.text.split('\n').slice(0, -2);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([10, '2/20 queries (10 %)', '20/20 queries (100 %)']);
  });

  it('draws progress on a terminal and erases it at the end', async () => {
    const { app } = evaluating();
    const { stderr } = await run('eval run', { app, columns: 60 });
    const clear = '\r\u001b[2K';
    expect(stderr.text.startsWith(`${clear}1/20 queries  q1`)).toBe(true);
    expect(stderr.text.endsWith(`${clear}query b failed: generic: it broke\n`)).toBe(true);
  });

  it.each([
    [{ queries: 5, failed: 4 }, 0],
    [{ queries: 5, failed: 5 }, 2],
    [{ queries: 0, failed: 0 }, 0],
  ])('with the counts %j exits with %i', async (answer, code) => {
    expect((await run('eval run --json', { app: evaluating(answer).app })).code).toBe(code);
  });

  it.each(['--mode fuzzy', '--k x', '--wiht-rag', '--temperature hot'])('rejects %s', async (flags) => {
    const { code, stderr } = await run(`eval run ${flags} --json`, { app: evaluating().app });
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'invalid_input' }]]);
  });
});

describe('kebab eval aggregate', () => {
  it('prints the metrics of a run', async () => {
    const { code, stdout } = await run('eval aggregate run_1 --json', { app: evaluating().app });
    expect([code, stdout.json]).toEqual([0, [{ ...evalAggregate, run_id: 'run_1' }]]);
  });

  it('fails without the id of a run', async () => {
    expect((await run('eval aggregate', { app: evaluating().app })).code).toBe(2);
  });
});

describe('kebab eval compare', () => {
  it('compares two runs, and prints notices on stderr', async () => {
    const { app, compared } = evaluating();
    const { code, stderr } = await run('eval compare run_1 run_2', { app });
    expect([code, stderr.text]).toEqual([0, 'compared by document\n']);
    expect(compared).toEqual([['run_1', 'run_2', { strictChunkerVersion: false, writeReport: false }]]);
  });

  it('passes --strict-chunker-version and --write-report on', async () => {
    const { app, compared } = evaluating();
    const { stdout, stderr } = await run('eval compare run_1 run_2 --strict-chunker-version --write-report --json', {
      app,
    });
    expect(compared).toEqual([['run_1', 'run_2', { strictChunkerVersion: true, writeReport: true }]]);
    expect([stdout.json, stderr.text]).toEqual([[evalCompare], '']);
  });
});
