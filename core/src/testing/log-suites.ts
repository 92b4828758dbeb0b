import assert from 'node:assert/strict';
import type { AnswerLog, AnswerRow } from '../contracts/answer-log.ts';
import type { ContractSuite } from './contract-suite.ts';
import type { EvalLog, EvalResultRow, EvalRunRow } from '../contracts/eval-log.ts';

/** What {@link answerLogSuite} needs. */
export interface AnswerLogSuiteOptions {
  /** Opens a log without answers. */
  readonly open: () => AnswerLog | Promise<AnswerLog>;
}

/** The promises of an answer log: what is recorded comes back as it was, newest first. */
export function answerLogSuite({ open }: AnswerLogSuiteOptions): ContractSuite {
  const promise = (name: string, check: (log: AnswerLog) => void): ContractSuite['cases'][number] => ({
    name,
    run: async () => check(await open()),
  });
  return {
    contract: 'AnswerLog',
    cases: [
      promise('gives answers and refusals back as they were recorded', (log) => {
        assert.deepEqual(log.latest(5), []);
        const rows = [answer('ret_00000001'), refusal('ret_00000002')];
        for (const row of rows) log.record(row);
        assert.deepEqual(log.latest(5), rows.toReversed());
      }),
      promise('lists the newest first, and no more than asked for', (log) => {
        for (const [at, id] of ['ret_b', 'ret_c', 'ret_a'].entries())
          log.record({ ...answer(id), createdAt: new Date(Date.UTC(2026, 0, 1, at)) });
        assert.deepEqual(
          log.latest(2).map(({ traceId }) => traceId),
          ['ret_a', 'ret_c'],
        );
      }),
    ],
  };
}

function answer(traceId: string): AnswerRow {
  return {
    traceId,
    query: 'What is "한국" 𝒜?',
    answer: 'It is a country [1].\nReally.',
    grounded: true,
    refusalReason: null,
    modelId: 'qwen2.5:14b-instruct',
    modelProvider: 'ollama',
    embeddingModelId: 'multilingual-e5-small',
    embeddingDimensions: 384,
    promptTemplateVersion: 'rag-v2',
    retrievalMode: 'hybrid',
    retrievalK: 8,
    scoreGate: 0.3,
    topScore: 0.75,
    chunksReturned: 8,
    chunksUsed: 3,
    citationsJson: '[{"marker":"[1]"}]',
    packedChunksJson: '[{"number":1}]',
    answerJson: '{"schema_version":"answer.v1"}',
    promptTokens: 1184,
    completionTokens: 312,
    latencyMs: 1842,
    createdAt: new Date('2026-01-01T00:00:00.123Z'),
  };
}

function refusal(traceId: string): AnswerRow {
  return {
    ...answer(traceId),
    grounded: false,
    refusalReason: 'score_gate',
    embeddingModelId: null,
    embeddingDimensions: null,
    retrievalMode: 'lexical',
    citationsJson: '[]',
    packedChunksJson: null,
  };
}

/** What {@link evalLogSuite} needs. */
export interface EvalLogSuiteOptions {
  /** Opens a log without runs. */
  readonly open: () => EvalLog | Promise<EvalLog>;
}

/** The promises of a log of evaluations: a run comes back as it was recorded, with its results in order, or not at all. */
export function evalLogSuite({ open }: EvalLogSuiteOptions): ContractSuite {
  const promise = (name: string, check: (log: EvalLog) => void): ContractSuite['cases'][number] => ({
    name,
    run: async () => check(await open()),
  });
  return {
    contract: 'EvalLog',
    cases: [
      promise('gives runs and results back as they were recorded', (log) => {
        const [first, second] = [run('run_1'), { ...run('run_2'), commitHash: null }];
        log.record(first, [result('z'), result('a'), result('한국')]);
        log.record(second, [result('a', '{"other":true}')]);
        assert.deepEqual(log.find('run_1'), first);
        assert.deepEqual(log.find('run_2'), second);
        assert.deepEqual(log.results('run_1'), [result('z'), result('a'), result('한국')]);
        assert.deepEqual(log.results('run_2'), [result('a', '{"other":true}')]);
      }),
      promise('knows nothing of a run that is not there', (log) => {
        assert.equal(log.find('run_1'), null);
        assert.deepEqual(log.results('run_1'), []);
        assert.deepEqual(log.latest(5), []);
      }),
      promise('keeps a run without queries', (log) => {
        log.record(run('run_1'), []);
        assert.deepEqual(log.results('run_1'), []);
      }),
      promise('lists the newest first, and no more than asked for', (log) => {
        for (const [at, id] of ['run_b', 'run_c', 'run_a'].entries())
          log.record({ ...run(id), createdAt: new Date(Date.UTC(2026, 0, 1, at)) }, []);
        assert.deepEqual(
          log.latest(2).map(({ runId }) => runId),
          ['run_a', 'run_c'],
        );
      }),
      promise('keeps nothing of a run that it cannot keep whole', (log) => {
        assert.throws(() => log.record(run('run_1'), [result('a'), result('b'), result('a')]));
        assert.equal(log.find('run_1'), null);
        assert.deepEqual(log.results('run_1'), []);
      }),
      promise('never replaces a run', (log) => {
        log.record(run('run_1'), [result('a')]);
        assert.throws(() => log.record({ ...run('run_1'), suite: 'other.yaml' }, []));
        assert.deepEqual(log.find('run_1'), run('run_1'));
        assert.deepEqual(log.results('run_1'), [result('a')]);
      }),
    ],
  };
}

function run(runId: string): EvalRunRow {
  return {
    runId,
    suite: '/suites/golden "한국".yaml',
    configSnapshotJson: '{"mode":"hybrid"}',
    aggregateJson: '{"mrr":0.5}',
    commitHash: '0123456789ab',
    createdAt: new Date('2026-01-01T00:00:00.123Z'),
  };
}

function result(queryId: string, resultJson = `{"query_id":${JSON.stringify(queryId)}}`): EvalResultRow {
  return { queryId, resultJson };
}
