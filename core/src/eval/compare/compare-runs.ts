import { invalidInput } from '../../errors/invalid-input.ts';
import type { EvalCompare } from '../../wire/index.ts';
import type { JudgedBy } from '../metrics/judge-result.ts';
import { chunkerDifferences } from './chunker-differences.ts';
import { compareResults } from './compare-results.ts';
import type { StoredRun } from './load-run.ts';

/** Two runs side by side, and what people should know of the comparison, a line each. */
export interface ComparedRuns {
  readonly compare: EvalCompare;
  readonly judgedBy: JudgedBy;
  readonly notices: readonly string[];
}

const DEEPEST_CUTOFF = 10;

/**
 * Compares two runs: chunk by chunk, or by document when documents were cut differently. With `strict` the latter throws
 * `invalid_input`.
 */
export function compareRuns(a: StoredRun, b: StoredRun, strict: boolean): ComparedRuns {
  const differences = chunkerDifferences(a.snapshot.versions.chunkers, b.snapshot.versions.chunkers);
  if (strict && differences.length > 0)
    throw invalidInput(`${a.row.runId} and ${b.row.runId} differ in their chunkers: ${differences.join('; ')}`, {
      field: 'strict_chunker_version',
      hint: 'without --strict-chunker-version they are compared by document',
    });
  const judgedBy = differences.length > 0 ? 'document' : 'chunk';
  return {
    compare: {
      schema_version: 'eval_compare.v1',
      a: a.row.runId,
      b: b.row.runId,
      ...compareResults(a.results, b.results, judgedBy),
    },
    judgedBy,
    notices: [...chunkerNotice(differences), ...unmatchedNotice(a, b), ...depthNotice(a, b)],
  };
}

function chunkerNotice(differences: readonly string[]): readonly string[] {
  if (differences.length === 0) return [];
  return [`compared by document, because the chunkers differ: ${differences.join('; ')}`];
}

function unmatchedNotice(a: StoredRun, b: StoredRun): readonly string[] {
  const [ofA, ofB] = [idsOf(a), idsOf(b)];
  const onlyA = [...ofA].filter((id) => !ofB.has(id)).length;
  const onlyB = [...ofB].filter((id) => !ofA.has(id)).length;
  if (onlyA + onlyB === 0) return [];
  return [`queries of one run only are left out: ${onlyA} of ${a.row.runId}, ${onlyB} of ${b.row.runId}`];
}

function idsOf({ results }: StoredRun): ReadonlySet<string> {
  return new Set(results.map(({ query_id: id }) => id));
}

function depthNotice(a: StoredRun, b: StoredRun): readonly string[] {
  const [ofA, ofB] = [a.snapshot.k, b.snapshot.k];
  if (ofA === ofB || Math.min(ofA, ofB) >= DEEPEST_CUTOFF) return [];
  return [`the runs looked at different depths: k = ${ofA} and k = ${ofB}`];
}
