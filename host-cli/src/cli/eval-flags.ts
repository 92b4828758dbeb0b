import { ASK, flagsOf } from '@kebab/core/app';
import type { FlagSpec } from './command-spec.ts';

/** The golden suite that `eval run` takes when neither `--suite` nor `KEBAB_EVAL_GOLDEN` names one. */
export const DEFAULT_SUITE = 'fixtures/golden_queries.yaml';

/** The flags of `eval run`. */
export const EVAL_RUN_FLAGS: readonly FlagSpec[] = [
  {
    name: 'suite',
    kind: 'string',
    value: 'PATH',
    summary: `the golden suite (KEBAB_EVAL_GOLDEN, else ${DEFAULT_SUITE})`,
  },
  ...flagsOf(ASK, ['mode']),
  { name: 'k', short: 'k', kind: 'integer', value: 'N', summary: 'how many hits are looked at, 1 to 100 (10)' },
  { name: 'with-rag', kind: 'boolean', summary: 'also ask each query, and judge the answers' },
  ...flagsOf(ASK, ['temperature', 'seed']),
];

/** The flags of `eval compare`. */
export const EVAL_COMPARE_FLAGS: readonly FlagSpec[] = [
  { name: 'strict-chunker-version', kind: 'boolean', summary: 'refuse runs of different chunkers' },
  { name: 'write-report', kind: 'boolean', summary: 'write report.md into the folder of the second run' },
];
