import assert from 'node:assert/strict';
import { isKebabError } from '@kebab/core';
import type {
  AnswerLog,
  AnswerRow,
  EvalLog,
  EvalResultRow,
  EvalRunRow,
  SessionRepo,
  ChatSession,
  Turn,
} from '@kebab/core/store';
import { casesOn, type ContractSuite } from './contract-suite.ts';

/** Options of {@link answerLogSuite}. */
export interface AnswerLogSuiteOptions {
  /** Opens a log without answers. */
  readonly open: () => AnswerLog | Promise<AnswerLog>;
}

/** The contract suite of an answer log: records are returned as they were written, newest first. */
export function answerLogSuite({ open }: AnswerLogSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  return {
    contract: 'AnswerLog',
    cases: [
      promise('returns answers and refusals as they were recorded', async (log) => {
        assert.deepEqual(await log.latest(5), []);
        const rows = [answer('ret_00000001'), refusal('ret_00000002')];
        for (const row of rows) await log.record(row);
        assert.deepEqual(await log.latest(5), rows.toReversed());
      }),
      promise('lists the newest first, up to the limit', async (log) => {
        for (const [at, id] of ['ret_b', 'ret_c', 'ret_a'].entries())
          await log.record({ ...answer(id), createdAt: new Date(Date.UTC(2026, 0, 1, at)) });
        assert.deepEqual(
          (await log.latest(2)).map(({ traceId }) => traceId),
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

/** Options of {@link evalLogSuite}. */
export interface EvalLogSuiteOptions {
  /** Opens a log without runs. */
  readonly open: () => EvalLog | Promise<EvalLog>;
}

/** The contract suite of a log of evaluations: a run is returned as it was recorded, with its results in order, or not at all. */
export function evalLogSuite({ open }: EvalLogSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  return {
    contract: 'EvalLog',
    cases: [
      promise('returns runs and results as they were recorded', async (log) => {
        const [first, second] = [run('run_1'), { ...run('run_2'), commitHash: null }];
        await log.record(first, [result('z'), result('a'), result('한국')]);
        await log.record(second, [result('a', '{"other":true}')]);
        assert.deepEqual(await log.find('run_1'), first);
        assert.deepEqual(await log.find('run_2'), second);
        assert.deepEqual(await log.results('run_1'), [result('z'), result('a'), result('한국')]);
        assert.deepEqual(await log.results('run_2'), [result('a', '{"other":true}')]);
      }),
      promise('returns nothing for an unknown run', async (log) => {
        assert.equal(await log.find('run_1'), null);
        assert.deepEqual(await log.results('run_1'), []);
        assert.deepEqual(await log.latest(5), []);
      }),
      promise('keeps a run without queries', async (log) => {
        await log.record(run('run_1'), []);
        assert.deepEqual(await log.results('run_1'), []);
      }),
      promise('lists the newest first, up to the limit', async (log) => {
        for (const [at, id] of ['run_b', 'run_c', 'run_a'].entries())
          await log.record({ ...run(id), createdAt: new Date(Date.UTC(2026, 0, 1, at)) }, []);
        assert.deepEqual(
          (await log.latest(2)).map(({ runId }) => runId),
          ['run_a', 'run_c'],
        );
      }),
      promise('records nothing of a run that it cannot record completely', async (log) => {
        await assert.rejects(log.record(run('run_1'), [result('a'), result('b'), result('a')]));
        assert.equal(await log.find('run_1'), null);
        assert.deepEqual(await log.results('run_1'), []);
      }),
      promise('never replaces a run', async (log) => {
        await log.record(run('run_1'), [result('a')]);
        await assert.rejects(log.record({ ...run('run_1'), suite: 'other.yaml' }, []));
        assert.deepEqual(await log.find('run_1'), run('run_1'));
        assert.deepEqual(await log.results('run_1'), [result('a')]);
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

/** Options of {@link sessionRepoSuite}. */
export interface SessionRepoSuiteOptions {
  /** Opens a repository without sessions. */
  readonly open: () => SessionRepo | Promise<SessionRepo>;
}

/** The contract suite of a session repository: turns in order, one per index, and deleting a session deletes its turns. */
export function sessionRepoSuite({ open }: SessionRepoSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  return {
    contract: 'SessionRepo',
    cases: [
      promise('returns a session as it was created', async (sessions) => {
        const named = session('work', { title: 'What is "kebab"?', configSnapshotJson: '{"template":"rag-v2"}' });
        await sessions.createSession(named);
        await sessions.createSession(session('other'));
        assert.deepEqual(await sessions.getSession('work'), named);
        assert.deepEqual(await sessions.getSession('other'), session('other'));
        assert.equal(await sessions.getSession('none'), null);
      }),
      promise('keeps a session that is created again', async (sessions) => {
        await sessions.createSession(session('work', { title: 'first' }));
        await sessions.createSession(session('work', { title: 'second' }));
        assert.equal((await sessions.getSession('work'))?.title, 'first');
      }),
      promise('lists sessions, most recently used first', async (sessions) => {
        await sessions.createSession(session('a', { updatedAt: new Date(1000) }));
        await sessions.createSession(session('b', { updatedAt: new Date(3000) }));
        await sessions.appendTurn('a', turn('later', new Date(5000)), 0);
        assert.deepEqual(
          (await sessions.listSessions()).map(({ sessionId }) => sessionId),
          ['a', 'b'],
        );
        assert.deepEqual((await sessions.getSession('a'))?.updatedAt, new Date(5000));
      }),
      promise('returns turns in order, as they were appended', async (sessions) => {
        await sessions.createSession(session('work'));
        const turns = ['one', 'two', '셋 𝒜'].map((question) => turn(question, new Date(7000)));
        for (const [index, one] of turns.entries()) await sessions.appendTurn('work', one, index);
        assert.deepEqual(await sessions.listTurns('work'), turns);
        assert.deepEqual(await sessions.listTurns('none'), []);
      }),
      promise(
        'accepts an index from one of two writers; the other gets locked and changes nothing',
        async (sessions) => {
          await sessions.createSession(session('work'));
          await sessions.appendTurn('work', turn('mine', new Date(7000)), 0);
          await assert.rejects(sessions.appendTurn('work', turn('yours', new Date(9000)), 0), (error) =>
            isKebabError(error, 'locked'),
          );
          assert.deepEqual(await sessions.listTurns('work'), [turn('mine', new Date(7000))]);
          assert.deepEqual((await sessions.getSession('work'))?.updatedAt, new Date(7000));
        },
      ),
      promise('rejects a turn of an unknown session', async (sessions) => {
        await assert.rejects(sessions.appendTurn('none', turn('q', new Date(0)), 0), (error) =>
          isKebabError(error, 'invalid_input'),
        );
      }),
      promise('deletes a session with its turns, and no other', async (sessions) => {
        for (const id of ['a', 'b']) {
          await sessions.createSession(session(id));
          await sessions.appendTurn(id, turn(id, new Date(0)), 0);
        }
        await sessions.deleteSession('a');
        await sessions.deleteSession('none');
        assert.deepEqual([await sessions.getSession('a'), await sessions.listTurns('a')], [null, []]);
        assert.equal((await sessions.listTurns('b')).length, 1);
        await sessions.createSession(session('a'));
        assert.deepEqual(await sessions.listTurns('a'), []);
      }),
    ],
  };
}

function session(sessionId: string, rest: Partial<ChatSession> = {}): ChatSession {
  const at = new Date('2026-01-01T00:00:00Z');
  return { sessionId, title: null, configSnapshotJson: '{}', createdAt: at, updatedAt: at, ...rest };
}

function turn(question: string, createdAt: Date): Turn {
  const items = [{ role: 'user', text: question } as const, { role: 'assistant', text: 'yes' } as const];
  return { question, answer: `answer to ${question}`, citationsJson: '[{"marker":"[1]"}]', items, createdAt };
}
