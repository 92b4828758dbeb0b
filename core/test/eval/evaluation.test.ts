import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EvalProgress, QueryResult } from '../../src/eval/query-result.ts';
import type { Mode } from '../../src/domain/query.ts';
import { componentPorts } from '../../src/ports.ts';
import { ScriptedModel } from '@kebab/testing';
import { FakeComponents } from '../fake-components.ts';
import { parseWire } from '../wire/parse-wire.ts';
import { itemAt } from '../kb/item-at.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { evalWorld, type EvalWorld, type EvalWorldOptions } from './eval-world.ts';

const open = openForTests();

const SUITE = `
- { id: salt, query: salt, lang: en, difficulty: easy, expected_doc_paths: [sea.md], expected_uris: ['sea.md#L1'] }
- { id: sugar, query: sugar cane, expected_doc_paths: [land.md], must_contain: [cane] }
- { id: nothing, query: telescope, answerable: false }
`;

async function world(options: EvalWorldOptions = {}): Promise<EvalWorld> {
  const made = await evalWorld(open, options);
  await made.kb.add('sea.md', 'salt water\n\nsalt wind over the water\n');
  await made.kb.add('land.md', 'sugar cane grows\n');
  return made;
}

const runsOf = ({ kb }: EvalWorld): string => join(dirname(kb.root), 'data', 'runs');

function perQuery(made: EvalWorld, runId: string): readonly (QueryResult & Record<string, unknown>)[] {
  const lines = readFileSync(join(runsOf(made), runId, 'per_query.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as QueryResult & Record<string, unknown>);
}

describe('a run of a golden suite', () => {
  it('reports its metrics, and stores every query in the database and as a line of a file', async () => {
    const made = await world();
    const suite = made.suite(SUITE);
    const run = await made.evaluation.run({ suite, mode: 'lexical' });
    expect(parseWire('eval_run', run)).toMatchObject({
      suite,
      queries: 3,
      failed: 0,
      created_at: '2026-01-02T00:00:00.000Z',
      aggregate: {
        recall_at_k_doc: { 1: 1 },
        hit_at_k: { 1: 1 },
        empty_result_rate: 0.3333,
        refusal_correctness: null,
      },
    });
    const lines = perQuery(made, run.run_id);
    expect(lines.map(({ query_id: id }) => id)).toEqual(['salt', 'sugar', 'nothing']);
    expect(itemAt(lines, 0)).toMatchObject({
      lang: 'en',
      difficulty: 'easy',
      first_relevant_rank: 1,
      metrics: { hit_at_1: 1, mrr: 1, must_contain: null },
      retrieval: { mode: 'lexical', hits: [{ document: 'default:sea.md', uri: 'sea.md#L1' }, { uri: 'sea.md#L3' }] },
      error: null,
    });
    const stored = (await made.kb.store.evals.results(run.run_id)).map(
      ({ resultJson }) => JSON.parse(resultJson) as object,
    );
    expect(lines).toMatchObject(stored);
  });

  it('records its settings, without secrets', async () => {
    const made = await world({ env: { KEBAB_MODELS_LLM_API_KEY: 'top-secret' } });
    const { run_id: id } = await made.evaluation.run({ suite: made.suite(SUITE), k: 3 });
    const row = await made.kb.store.evals.find(id);
    expect(JSON.parse(row?.configSnapshotJson ?? '')).toMatchObject({
      mode: 'hybrid',
      k: 3,
      with_rag: false,
      corpus_revision: await made.kb.store.corpusRevision(),
      documents: 2,
      versions: { embedding: null, chunkers: { markdown: [expect.stringMatching(/^\S+ \S+$/)] } },
      config: { models: { llm: { apiKey: '***' } }, search: { rrfK: 60 } },
    });
    expect(row?.configSnapshotJson).not.toContain('top-secret');
  });

  it('records the models that plugins provide, whatever is configured', async () => {
    const retriever = {
      id: 'near',
      version: '2',
      scoreKind: 'cosine',
      indexVersion: () => 'near-2',
      retrieve: async () => [],
    } as const;
    const own = new FakeComponents({ llm: { acme: new ScriptedModel([]) }, retriever: { near: retriever } }, 'package');
    const { languageModels, retrievers } = componentPorts(own);
    const env = { KEBAB_MODELS_LLM_PROVIDER: 'acme' };
    const made = await world({ env, ports: { languageModels, retrievers } });
    const versionsOf = async (mode: Mode): Promise<unknown> => {
      const { run_id: id } = await made.evaluation.run({ suite: made.suite(SUITE), mode });
      const snapshot = JSON.parse((await made.kb.store.evals.find(id))?.configSnapshotJson ?? '') as {
        readonly versions: unknown;
      };
      return snapshot.versions;
    };
    expect(await versionsOf('hybrid')).toMatchObject({ embedding: 'near@2', llm: new ScriptedModel([]).model.id });
    expect(await versionsOf('lexical')).toMatchObject({ embedding: null });
  });

  it('needs no lock: it is recorded while a writer is active', async () => {
    const made = await world();
    const writer = await made.kb.store.openWriter({ waitMs: 0 });
    const { run_id: id } = await made.evaluation.run({ suite: made.suite(SUITE) });
    await writer.close();
    expect(await made.kb.store.evals.find(id)).not.toBeNull();
  });

  it('continues after a failing query, and counts it', async () => {
    const made = await world();
    const notices: string[] = [];
    const suite = made.suite(`${SUITE}- { id: only-minus, query: '-salt -sugar', expected_doc_paths: [sea.md] }\n`);
    const run = await made.evaluation.run({ suite, mode: 'lexical' }, { onNotice: (line) => notices.push(line) });
    expect(run).toMatchObject({ queries: 4, failed: 1, aggregate: { failed_queries: 1, recall_at_k_doc: { 1: 1 } } });
    expect(perQuery(made, run.run_id).at(-1)).toMatchObject({
      retrieval: null,
      error: { code: 'invalid_input', message: 'the query only says what must not occur' },
    });
    expect(notices[0]).toBe('query only-minus failed: invalid_input: the query only says what must not occur');
    expect(notices.at(-1)).toBe(`results of each query: ${join(runsOf(made), run.run_id, 'per_query.jsonl')}`);
  });

  it('reports when it searched in another mode than requested', async () => {
    const made = await world();
    const notices: string[] = [];
    await made.evaluation.run({ suite: made.suite(SUITE) }, { onNotice: (line) => notices.push(line) });
    expect(notices[0]).toMatch(/^3 of 3 queries skipped a stage \(vector: /);
  });

  it('reports each query, even to listeners that throw', async () => {
    const made = await world();
    const seen: EvalProgress[] = [];
    const onProgress = (progress: EvalProgress): void => {
      seen.push(progress);
      throw new Error('nobody reads any more');
    };
    const run = await made.evaluation.run({ suite: made.suite(SUITE) }, { onProgress });
    expect(run.failed).toBe(0);
    expect(seen).toEqual([
      { done: 1, total: 3, queryId: 'salt' },
      { done: 2, total: 3, queryId: 'sugar' },
      { done: 3, total: 3, queryId: 'nothing' },
    ]);
  });

  it('throws cancelled when it is cancelled, and records nothing', async () => {
    const made = await world();
    const controller = new AbortController();
    const run = made.evaluation.run(
      { suite: made.suite(SUITE) },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(run).rejects.toMatchObject({
      code: 'cancelled',
      details: { operation: expect.any(String) as string },
    });
    expect(await made.kb.store.evals.latest(1)).toEqual([]);
    expect(existsSync(runsOf(made))).toBe(false);
  });

  it.each([
    [{ k: 0 }, 'k'],
    [{ k: 101 }, 'k'],
    [{ temperature: 3 }, 'temperature'],
    [{ seed: -1 }, 'seed'],
  ])('is rejected with %j before anything runs', async (request, field) => {
    const made = await world();
    const run = made.evaluation.run({ suite: made.suite(SUITE), ...request });
    await expect(run).rejects.toMatchObject({ code: 'invalid_input', details: { field } });
  });

  it('asks nothing unless answers were requested', async () => {
    const made = await world();
    await made.evaluation.run({ suite: made.suite(SUITE) });
    expect(made.asked).toEqual([]);
  });
});

describe('a run with answers', () => {
  it('asks each query as it is searched, and judges answers and refusals', async () => {
    const made = await world({
      answering: async ({ question }) =>
        question === 'telescope'
          ? { grounded: false, refusal_reason: 'no_chunks', answer: 'Nothing is known of that.' }
          : { answer: 'It is cane [1].' },
    });
    const suite = made.suite(SUITE);
    const run = await made.evaluation.run({ suite, mode: 'lexical', k: 4, withRag: true, temperature: 0.5, seed: 7 });
    const common = { mode: 'lexical', k: 4, temperature: 0.5, seed: 7 };
    expect(made.asked).toEqual(['salt', 'sugar cane', 'telescope'].map((question) => ({ question, ...common })));
    expect(run.aggregate).toMatchObject({ must_contain: 1, refusal_correctness: 1, over_refusal_rate: 0 });
  });

  it('verifies the citations of grounded answers against the files', async () => {
    const made = await world({
      answering: async ({ question }, signal) => {
        const query = { text: question, mode: 'lexical' } as const;
        const { hits } = (await made.kb.search.retrieve(query, signal ? { signal } : {})).response;
        return {
          citations: hits.slice(0, 1).map(({ citation, indexed_at }) => ({
            marker: '[1]',
            citation,
            score: 1,
            indexed_at,
            stale: false,
            freshness: 'fresh' as const,
            quotes: [],
            verified: null,
          })),
        };
      },
    });
    made.kb.putFile('land.md', 'turnips\n'); // simulates a later edit
    const run = await made.evaluation.run({ suite: made.suite(SUITE), mode: 'lexical', withRag: true });
    const [salt, sugar] = perQuery(made, run.run_id);
    expect(salt?.answer?.citations).toMatchObject([{ uri: 'sea.md#L1', status: 'exact', source_id: null }]);
    expect(sugar?.answer?.citations).toMatchObject([{ uri: 'land.md#L1', status: 'gone' }]);
    expect(run.aggregate['citation_coverage']).toBe(0.3333); // the third answer cites nothing
  });

  it('keeps the hits of a query whose answer fails', async () => {
    const made = await world({ answering: async () => Promise.reject(new Error('no model')) });
    const run = await made.evaluation.run({ suite: made.suite(SUITE), mode: 'lexical', withRag: true });
    expect(run).toMatchObject({ failed: 3, aggregate: { hit_at_k: { 1: 1 }, must_contain: null } });
  });

  it('does not treat a cancelled answer as a refusal', async () => {
    const controller = new AbortController();
    const made = await world({
      answering: async () => {
        controller.abort();
        return { grounded: false, refusal_reason: 'llm_stream_aborted' };
      },
    });
    const run = made.evaluation.run({ suite: made.suite(SUITE), withRag: true }, { signal: controller.signal });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('a stored run', () => {
  it('recomputes its metrics from its results', async () => {
    const made = await world();
    const run = await made.evaluation.run({ suite: made.suite(SUITE), mode: 'lexical' });
    const aggregate = await made.evaluation.aggregate(run.run_id);
    expect(parseWire('eval_aggregate', aggregate)).toEqual({
      schema_version: 'eval_aggregate.v1',
      run_id: run.run_id,
      metrics: run.aggregate,
    });
  });

  it('must exist; the error lists the latest ones', async () => {
    const made = await world();
    await expect(made.evaluation.aggregate('run_0')).rejects.toMatchObject({
      code: 'invalid_input',
      hint: 'make one with `kebab eval run`',
    });
    const { run_id: id } = await made.evaluation.run({ suite: made.suite(SUITE) });
    await expect(made.evaluation.compare(id, 'run_0')).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'run', value: 'run_0', allowed: [id] },
    });
  });

  it('is compared with another, and the report is written to the folder of the second', async () => {
    const made = await world();
    const suite = made.suite(SUITE);
    const a = await made.evaluation.run({ suite, mode: 'lexical' });
    await made.kb.add('sugar.md', 'sugar cane sugar cane\n');
    const b = await made.evaluation.run({ suite, mode: 'lexical' });
    const notices: string[] = [];
    const compare = await made.evaluation.compare(a.run_id, b.run_id, {
      writeReport: true,
      strictChunkerVersion: true,
      onNotice: (line) => notices.push(line),
    });
    expect(parseWire('eval_compare', compare)).toMatchObject({
      a: a.run_id,
      b: b.run_id,
      metrics: { recall_at_1_doc: { a: 1, b: 0.5, delta: -0.5 }, mrr: { a: 1, b: 1, delta: 0, ci95: null } },
      queries: [
        { id: 'salt', outcome: 'draw' },
        { id: 'sugar', outcome: 'loss', rank_a: 1, rank_b: 2 },
        { id: 'nothing' },
      ],
    });
    const file = join(runsOf(made), b.run_id, 'report.md');
    expect(notices).toEqual([`report: ${file}`]);
    expect(readFileSync(file, 'utf8')).toContain('| loss | sugar | 1 | 2 | sugar cane |');
  });
});
