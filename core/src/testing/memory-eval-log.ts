import type { EvalLog, EvalResultRow, EvalRunRow } from '../contracts/eval-log.ts';

/** Runs of golden suites in memory, for tests. */
export class MemoryEvalLog implements EvalLog {
  readonly #runs = new Map<string, { readonly run: EvalRunRow; readonly results: readonly EvalResultRow[] }>();

  record(run: EvalRunRow, results: readonly EvalResultRow[]): void {
    if (this.#runs.has(run.runId)) throw new Error(`there is a run ${run.runId} already`);
    if (new Set(results.map(({ queryId }) => queryId)).size < results.length)
      throw new Error(`two results of ${run.runId} are of one query`);
    this.#runs.set(run.runId, { run: { ...run }, results: results.map((result) => ({ ...result })) });
  }

  find(runId: string): EvalRunRow | null {
    return this.#runs.get(runId)?.run ?? null;
  }

  results(runId: string): readonly EvalResultRow[] {
    return this.#runs.get(runId)?.results ?? [];
  }

  latest(limit: number): readonly EvalRunRow[] {
    return [...this.#runs.values()]
      .map(({ run }) => run)
      .toReversed()
      .toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
      .slice(0, limit);
  }
}
