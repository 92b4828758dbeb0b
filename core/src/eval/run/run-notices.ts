import type { QueryResult } from '../query-result.ts';

/** What people should know of a run beside its metrics, a line each: queries that failed, and stages that were skipped. */
export function runNotices(results: readonly QueryResult[]): readonly string[] {
  return [...failures(results), ...skipped(results)];
}

function failures(results: readonly QueryResult[]): readonly string[] {
  const failed = results.filter(({ error }) => error !== null);
  const [first] = failed;
  if (first?.error === undefined || first.error === null) return [];
  const { code, message } = first.error;
  const others = failed.length === 1 ? '' : `${failed.length} queries failed; the first: `;
  return [`${others}query ${first.query_id} failed: ${code}: ${message}`];
}

function skipped(results: readonly QueryResult[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { retrieval } of results)
    for (const stage of retrieval?.degraded ?? []) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  return [...counts].map(([stage, count]) => `${count} of ${results.length} queries skipped a stage (${stage})`);
}
