import path from 'node:path';
import type { EvalLog } from '../contracts/logs.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { makeOwnFolder } from '../files/own-folder.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { EvalAggregate, EvalCompare, EvalRun } from '../wire/index.ts';
import { compareRuns, loadRun, renderReport } from './compare/compare-runs.ts';
import { type EvalCompareOptions, type EvalOptions, type EvalRequest, notify } from './query-result.ts';
import { aggregateResults } from './metrics/ranking-metrics.ts';
import { type EvalSources, runSuite } from './run/run-suite.ts';

/** Runs golden suites, stores each run, and compares runs. */
export class Evaluation {
  readonly #sources: EvalSources;

  constructor(sources: EvalSources) {
    this.#sources = sources;
  }

  /** Runs a suite; see {@link runSuite} for what it records and throws. */
  run(request: EvalRequest, options: EvalOptions = {}): Promise<EvalRun> {
    return runSuite(this.#sources, request, options);
  }

  /** The metrics of a run, recomputed from its results. Throws `invalid_input` for an unknown run, `not_indexed`. */
  async aggregate(runId: string): Promise<EvalAggregate> {
    const { row, results } = await loadRun(await this.#log(), runId);
    return { schema_version: 'eval_aggregate.v1', run_id: row.runId, metrics: aggregateResults(results) };
  }

  /**
   * Compares two runs by the ids of their queries. Throws `invalid_input` for an unknown run and, in strict mode, for runs whose documents
   * were chunked by different chunkers.
   */
  async compare(a: string, b: string, options: EvalCompareOptions = {}): Promise<EvalCompare> {
    const { signal, onNotice, strictChunkerVersion = false, writeReport = false } = options;
    throwIfCancelled(signal, 'eval compare');
    const log = await this.#log();
    const [runA, runB] = [await loadRun(log, a), await loadRun(log, b)];
    const compared = compareRuns(runA, runB, strictChunkerVersion);
    for (const notice of compared.notices) notify(onNotice, notice);
    if (writeReport) {
      const { runsDir } = this.#sources.config.storage;
      const file = path.join(runsDir, runB.row.runId, 'report.md');
      makeOwnFolder(runsDir);
      writeAtomically(file, renderReport(compared, runA, runB));
      notify(onNotice, `report: ${file}`);
    }
    return compared.compare;
  }

  async #log(): Promise<EvalLog> {
    return (await this.#sources.documents.read()).evals;
  }
}
