import type { EvalCompare } from '../../wire/index.ts';

/** How a query fared in the second run against the first. */
export type Outcome = EvalCompare['queries'][number]['outcome'];

/**
 * Tells from the ranks of the first relevant hit how the second run did: `win` when it stands higher or is found at all, `loss`
 * when it stands lower, `regression` when it is found no more, else `draw`. Null is no relevant hit.
 */
export function outcomeOf(rankA: number | null, rankB: number | null): Outcome {
  if (rankA === rankB) return 'draw';
  if (rankB === null) return 'regression';
  return rankA === null || rankB < rankA ? 'win' : 'loss';
}
