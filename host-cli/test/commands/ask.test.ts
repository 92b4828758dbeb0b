import type { Answer, AnswerEvent, App, AskStage } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { answer, cited, configView, explained, gated, hit, judged, time } from '../examples.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

type Asked = Parameters<App['ask']>;

const QUESTION = 'What are the Markdown chunking rules?';

async function ask(
  line: readonly string[],
  result: Answer,
  test: CommandTest & { readonly tokens?: readonly string[]; readonly stage?: AskStage } = {},
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
      if (test.stage !== undefined) call[1]?.onStage?.(test.stage);
      for (const event of events) call[1]?.onEvent?.(event);
      return result;
    },
    configView: async () => ({
      ...configView,
      entries: [...configView.entries, { key: 'search.rrf_k', value: 60, origin: 'default' }],
    }),
  };
  return { asked, events, ...(await runCommand(['ask', ...line], { app, ...test })) };
}

describe('kebab ask', () => {
  it('passes its flags and the question to the App', async () => {
    const flags = ['-k', '3', '--mode', 'lexical', '--tag', 'a', '--temperature', '0.5', '--seed', '7', '--multi-hop'];
    const { asked } = await ask(
      [...flags, '--session', 'tea', '--model', 'llama', '--explain', 'how', 'long?'],
      explained,
    );
    expect(asked[0]?.[0]).toEqual({
      question: 'how long?',
      filters: { tag: ['a'] },
      k: 3,
      mode: 'lexical',
      temperature: 0.5,
      seed: 7,
      multiHop: true,
      session: 'tea',
      model: 'llama',
      explain: true,
    });
    expect((await ask(['why'], answer)).asked[0]?.[0]).toEqual({ question: 'why', filters: {} });
  });

  it('cancels the answer once the pipe it streams to has no reader', async () => {
    const stdout = new MemoryOutput();
    const { asked } = await ask(['--stream', 'why'], answer, { stdout });
    expect(asked[0]?.[1]?.signal?.aborted).toBe(false);
    stdout.closed = true;
    const left = await ask(['--stream', 'why'], answer, { stdout });
    expect(left.asked[0]?.[1]?.signal?.aborted).toBe(true);
  });

  it('exits with 0 if grounded, with 1 if refused', async () => {
    const codes = [answer, gated, judged].map(async (result) => (await ask(['why'], result)).code);
    expect(await Promise.all(codes)).toEqual([0, 1, 1]);
  });

  it('prints an answer to a pipe once it is complete', async () => {
    const { stdout, stderr } = await ask(['why'], answer, { tokens: ['Heading ', 'boundaries'] });
    expect(stdout.text.startsWith('Heading boundaries come first [1]. Code')).toBe(true);
    expect(stdout.text.match(/Heading/g)).toHaveLength(1);
    expect(stderr.text).toBe('');
  });

  it('streams an answer to a terminal, then prints its citations', async () => {
    const short = { ...answer, answer: 'Tea [1].' };
    const { stdout } = await ask(['why'], short, { tokens: ['Tea', ' [1].'], columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout.text.split('\n').slice(0, 4)).toEqual([
      'Tea [1].',
      '',
      '─────────────────────────────────────────────────────────',
      '[1] notes/kebab-architecture.md#L661-L672',
    ]);
  });

  it('shows a refusal below the part of an answer that was already streamed', async () => {
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

  it('reports below a text with citations that it was interrupted, and exits with 130 after Ctrl-C', async () => {
    const checks = { method: 'lexical', sentences: 1, cited: 1, details: 0, findings: [], reason: null } as const;
    const text = 'Tea [1]. And';
    const stopped: Answer = { ...answer, answer: text, grounded: false, refusal_reason: 'llm_stream_aborted', checks };
    const signal = AbortSignal.abort();
    for (const test of [{}, { tokens: [text], columns: 80, env: { NO_COLOR: '1' } }]) {
      const { code, stdout } = await ask(['why'], stopped, { ...test, signal });
      expect([code, stdout.text]).toEqual([
        130,
        expect.stringContaining('\ninterrupted: the answer is not complete\n'),
      ]);
    }
    for (const flag of ['--json', '--stream']) expect((await ask([flag, 'why'], stopped, { signal })).code).toBe(130);
    expect((await ask(['why'], stopped)).code).toBe(1); // the model disconnected
    expect((await ask(['why'], gated, { signal })).code).toBe(1); // the answer was complete before
  });

  it('shows the error message of the server when an answer breaks off', async () => {
    const failure = 'Ollama at http://127.0.0.1:1 cannot be used: it reported: out of memory';
    const broken: Answer = { ...judged, answer: 'Perhaps', refusal_reason: 'llm_stream_aborted', failure };
    for (const line of [['why'], ['--explain', 'why']])
      expect((await ask(line, broken)).stdout.text).toContain(`\nbroke off: ${failure}\n`);
    expect((await ask(['why'], { ...answer, failure: 'm stopped at the limit of 9 tokens' })).stdout.text).toContain(
      '\ncut short: m stopped at the limit of 9 tokens\n',
    );
  });

  it('shows the text that the model wrote below a refusal, as unverified', async () => {
    const { stdout } = await ask(['why'], { ...judged, written: 'It costs 9,999 euros.\nMaybe.' });
    expect(stdout.text).toContain(
      'contain the answer.\n\nthe model wrote, unverified:\n  It costs 9,999 euros.\n  Maybe.\n',
    );
  });

  it('shows the current stage on a terminal until the answer begins', async () => {
    const stage: AskStage = { kind: 'waiting', model: 'llama', reading: ['tea/green.md', 'tea/black.md'] };
    const { stderr, stdout } = await ask(['why'], answer, { columns: 80, stage, tokens: ['Heading '] });
    expect(stderr.text).toBe('\r\u001b[2Kreading tea/green.md and 1 more, waiting for llama\r\u001b[2K');
    expect(stdout.text.startsWith('Heading ')).toBe(true);
    expect((await ask(['why'], answer, { stage })).stderr.text).toBe('');
    for (const flag of ['--json', '--stream', '--quiet'])
      expect((await ask([flag, 'why'], answer, { columns: 80, stage })).stderr.text).toBe('');
  });

  it('prints the answer unchanged with --json, and the events with --stream', async () => {
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
    expect(stdout.text).toContain('  fusion          relevance');
  });

  it('warns on stderr about file references that failed, also with --json, but not with --quiet', async () => {
    const alerts = [
      { level: 'warn', code: 'file_ref_not_found', path: 'x.md', message: 'there is no such file' },
    ] as const;
    const warning = 'warning: file ref x.md: there is no such file\n';
    for (const flags of [[], ['--json'], ['--stream']])
      expect((await ask([...flags, '@x.md'], { ...answer, alerts })).stderr.text).toBe(warning);
    expect((await ask(['--quiet', '@x.md'], { ...answer, alerts })).stderr.text).toBe('');
  });

  it('reports on stderr which stage did not run', async () => {
    const degraded = [{ stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' }] as const;
    expect((await ask(['why'], { ...answer, degraded })).stderr.text).toContain(
      'notice: vector search off (model_not_pulled)',
    );
    expect((await ask(['--json', 'why'], { ...answer, degraded })).stderr.text).toBe('');
  });

  it('fails without a question before anything is opened', async () => {
    expect(await runCommand(['ask'])).toMatchObject({ code: 2, opened: [] });
  });
});

/** The output to a pipe. */
const printed = async (result: Answer): Promise<string> => (await ask(QUESTION.split(' '), result)).stdout.text;

describe('the screen of an answer', () => {
  it('shows an answer with what it cites', async () => {
    expect(await printed(answer)).toBe(
      [
        'Heading boundaries come first [1]. Code blocks are never cut in the middle [2].',
        'Tables stay in one chunk where possible [2]. Long sections are split by paragraph [1].',
        '',
        '─────────────────────────────────────────────────────────',
        '[1] notes/kebab-architecture.md#L661-L672',
        '    §14 Chunking policy',
        '[2] notes/kebab-architecture.md#L665-L668',
        '    §14 Chunking policy',
        '',
        'grounded ✓  qwen2.5:14b-instruct  rag-v2  3 chunks',
        '',
      ].join('\n'),
    );
  });

  it('flags quotations that were not found and numbers without a source', async () => {
    const quotes = [{ text: 'x', verified: false }];
    const flagged = {
      ...answer,
      citations: [cited('[1]', {}, { quotes, verified: false })],
      unsupported: ['12', '3.5'],
    };
    const lines = (await printed(flagged)).split('\n');
    expect(lines).toContain('[1] notes/kebab-architecture.md#L661-L672  ✗ quote not found');
    expect(lines.slice(-3)).toEqual(['unsupported: 12, 3.5', 'grounded ✓  qwen2.5:14b-instruct  rag-v2  3 chunks', '']);
  });

  it('highlights failed claims in place, and says why the answer is not grounded', async () => {
    const text = 'The hotel in "Paris by the sea" costs 9,999 euros [1].\nEiffel built it [1].';
    const at = (part: string) => ({
      text: part,
      start: text.indexOf(part),
      end: text.indexOf(part) + part.length,
      cited: [1],
    });
    const doubtful: Answer = {
      ...answer,
      answer: text,
      grounded: false,
      refusal_reason: 'unverified',
      citations: answer.citations.slice(0, 1),
      checks: {
        method: 'lexical',
        sentences: 2,
        cited: 2,
        details: 3,
        reason: 'not_in_passage',
        findings: [
          {
            kind: 'quotation',
            level: 'failed',
            ...at('"Paris by the sea"'),
            message: '"Paris by the sea" is not in [1]',
          },
          { kind: 'number', level: 'failed', ...at('9,999 euros'), message: '"9,999 euros" is not in [1]' },
          { kind: 'name', level: 'warning', ...at('Eiffel'), message: '"Eiffel" is not in [1]' },
        ],
      },
    };
    const marked = [
      'The hotel in "Paris by the sea" ✗ costs 9,999 euros ✗ [1].',
      '  ✗ "Paris by the sea" is not in [1]',
      '  ✗ "9,999 euros" is not in [1]',
      'Eiffel ? built it [1].',
      '  ? "Eiffel" is not in [1]',
      '',
    ];
    const below = [
      '─────────────────────────────────────────────────────────',
      '[1] notes/kebab-architecture.md#L661-L672',
      '    §14 Chunking policy',
      '',
      'check lexical  2 of 2 sentences cited  3 details compared  2 failed  not all of it is in what it cites',
      'grounded ✗  qwen2.5:14b-instruct  rag-v2  3 chunks',
      '',
    ];
    expect((await printed(doubtful)).split('\n')).toEqual([...marked, ...below]);
    const { stdout, code } = await ask(['why'], doubtful, { tokens: [text], columns: 80, env: { NO_COLOR: '1' } });
    expect(code).toBe(1);
    expect(stdout.text.split('\n')).toEqual([
      ...text.split('\n'),
      '',
      'not found where it is cited:',
      '',
      ...marked,
      ...below,
    ]);
  });

  it('shows an answer without citations above the passages that were found', async () => {
    const checks = {
      method: 'lexical',
      sentences: 1,
      cited: 0,
      details: 0,
      reason: 'no_citation',
      findings: [],
    } as const;
    expect((await printed({ ...judged, answer: 'It is so.', checks })).split('\n')).toEqual([
      'It is so.',
      'searched, but the answer cites none of:',
      '  · papers/book.pdf#p=23  (score 0.61)',
      '  · papers/book.pdf#p=24  (score 0.58)',
      '',
      'check lexical  0 of 1 sentences cited  0 details compared  0 failed  not every sentence is in a passage',
      'grounded ✗  qwen2.5:14b-instruct  rag-v2  3 chunks searched, 0 grounded',
      '',
    ]);
  });

  it('shows a refusal at the gate with the closest candidates', async () => {
    expect(await printed(gated)).toBe(
      [
        'Not enough evidence. The knowledge base has nothing on this.',
        'closest candidates (together below the threshold 0.30):',
        '  · notes/finance/personal-budget.md#L1-L8  (score 0.21)',
        '',
        'grounded ✗  qwen2.5:14b-instruct  rag-v2  0 chunks used',
        '',
      ].join('\n'),
    );
  });

  it('shows a very low relevance of candidates of a refusal as a number above zero', async () => {
    const lineAt = async (score: number): Promise<string | undefined> => {
      const candidates = gated.citations.map((candidate) => ({ ...candidate, score }));
      return (await printed({ ...gated, citations: candidates })).split('\n').find((line) => line.includes('·'));
    };
    expect(await lineAt(0.0042)).toContain('(score 0.0042)');
    expect(await lineAt(0.000_02)).toContain('(score < 0.0001)');
  });

  it('shows a refusal by the model with the searched passages', async () => {
    expect(await printed(judged)).toBe(
      [
        'Not enough evidence. The retrieved chunks do not contain the answer.',
        'searched, but the model found no answer in:',
        '  · papers/book.pdf#p=23  (score 0.61)',
        '  · papers/book.pdf#p=24  (score 0.58)',
        '',
        'grounded ✗  qwen2.5:14b-instruct  rag-v2  3 chunks searched, 0 grounded',
        '',
      ].join('\n'),
    );
  });

  it('names at most three candidates, and needs none', async () => {
    const many = { ...gated, citations: [1, 2, 3, 4].map((line) => cited(null, { uri: `a.md#L${line}` })) };
    expect((await printed(many)).match(/·/g)).toHaveLength(3);
    expect(await printed({ ...gated, refusal_reason: 'no_chunks', citations: [] })).toBe(
      'Not enough evidence. The knowledge base has nothing on this.\n\ngrounded ✗  qwen2.5:14b-instruct  rag-v2  0 chunks used\n',
    );
  });

  it('shows control characters of a document as visible symbols', async () => {
    const uri = 'a\u001b[31m.md#L1-L2';
    const hostile = {
      ...answer,
      answer: 'red \u001b[31m',
      citations: [cited('[1]', { uri })],
    };
    expect(await printed(hostile)).not.toContain('\u001b');
  });
});

describe('the screen of an explained answer', () => {
  it('names the constant k if ranks were fused', async () => {
    const { explain } = explained;
    if (explain === undefined) throw new Error('the example is not explained');
    const { method: _method, ...fusion } = explain.trace.fusion ?? {
      rrf_k: 60,
      weight_lexical: 1,
      weight_vector: 1,
      reason: 'agreement',
    };
    const byRank = {
      ...explained,
      explain: { ...explain, trace: { ...explain.trace, fusion: { ...fusion, method: 'rrf' } } },
    } as const;
    expect(await printed(byRank)).toContain('  fusion          rrf (k=60)\n');
  });

  it('shows the evidence of each sentence, the retrieval and the cost', async () => {
    expect(await printed(explained)).toBe(
      [
        '▎ Heading boundaries come first',
        '  └ notes/kebab-architecture.md#L662',
        '    「heading boundaries take precedence」',
        '',
        'retrieval trace',
        '  query           "What are the Markdown chunking rules?"',
        '  mode            hybrid',
        '  k               8',
        '  threshold (gate) 0.30  → top-1 0.82  pass',
        '  fusion          relevance',
        '  chunks (used)   3 / 8 returned',
        '    #1 0.82  notes/kebab-architecture.md#L661-L672  bm25=12.4 vec=0.78',
        '    #2 0.78  notes/kebab-architecture.md#L692-L713  bm25=10.1 vec=0.74',
        '    #3 0.55  guides/markdown-style.md#L4-L18  bm25=8.2 vec=0.61',
        '',
        'grounded ✓  qwen2.5:14b-instruct  rag-v2  3 chunks',
        'prompt   1184 tokens  completion 312 tokens  latency 1842 ms',
        'embedding multilingual-e5-small  index v1.2',
        '',
      ].join('\n'),
    );
  });

  it('explains a refusal by its candidates', async () => {
    const refused = { ...gated, explain: { claims: [], trace: explained.explain?.trace } } as typeof gated;
    const screen = await printed(refused);
    expect(screen).toContain('closest candidates (together below the threshold 0.30):');
    expect(screen).toContain('  threshold (gate) 0.30  → top-1 0.21  fail');
    expect(screen).toContain('  chunks (used)   0 / 1 returned');
  });
});
