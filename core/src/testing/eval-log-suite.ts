import assert from 'node:assert/strict';
import type { EvalLog, EvalResultRow, EvalRunRow } from '../contracts/eval-log.ts';
import type { ContractSuite } from './contract-suite.ts';

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
