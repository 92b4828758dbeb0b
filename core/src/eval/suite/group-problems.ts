import { canonicalJson } from '../../domain/canonical-json.ts';
import type { GoldenQuery } from './golden-query.ts';

/** One line for each query that expects something else than the first query of its group. */
export function groupProblems(queries: readonly GoldenQuery[]): readonly string[] {
  const first = new Map<string, GoldenQuery>();
  return queries.flatMap((query) => {
    if (query.group === null) return [];
    const other = first.get(query.group);
    if (other === undefined) first.set(query.group, query);
    if (other === undefined || expectationsOf(other) === expectationsOf(query)) return [];
    return [`${query.id}: expects something else than ${other.id} of the same group ${JSON.stringify(query.group)}`];
  });
}

/** What a query expects, written so that order and repetition make no difference. */
function expectationsOf(query: GoldenQuery): string {
  return canonicalJson([
    set(query.expectedDocIds),
    set(query.expectedDocPaths),
    set(query.expectedChunkIds),
    set(query.expectedUris),
    set(query.mustContain),
    set(query.forbidden),
    query.answerable,
  ]);
}

function set(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}
