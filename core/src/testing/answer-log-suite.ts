import assert from 'node:assert/strict';
import type { AnswerLog, AnswerRow } from '../contracts/answer-log.ts';
import type { ContractSuite } from './contract-suite.ts';

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
