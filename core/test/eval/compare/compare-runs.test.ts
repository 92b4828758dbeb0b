import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bootstrapInterval,
  compareResults,
  compareRuns,
  outcomeOf,
  type StoredRun,
  renderReport,
} from '../../../src/eval/compare/compare-runs.ts';
import type { RunVersions } from '../../../src/eval/run/run-suite.ts';
import { resultOf, type ResultSpec } from '../query-results.ts';

/** Properties of a stored run. */
interface RunSpec {
  readonly chunkers?: RunVersions['chunkers'];
  readonly k?: number;
  readonly results?: Readonly<Record<string, ResultSpec>>;
}

const found: ResultSpec = { hits: ['a/1', 'b/1'], chunks: ['a/1'] };

function storedRun(
  runId: string,
  { chunkers = { markdown: ['md-v1 1'] }, k = 10, results = { q: found } }: RunSpec = {},
): StoredRun {
  return {
    row: {
      runId,
      suite: '/golden.yaml',
      configSnapshotJson: '',
      aggregateJson: '',
      commitHash: null,
      createdAt: new Date('2026-01-01T00:00:00Z'),
    },
    snapshot: {
      mode: 'hybrid',
      k,
      with_rag: false,
      temperature: 0,
      seed: 0,
      corpus_revision: 7,
      documents: 3,
      config: {},
      versions: {
        kebab: '0.1.0',
        index_version: 'v1',
        embedding: null,
        prompt_template_version: 'rag-v2',
        llm: 'm',
        reranker: null,
        parsers: {},
        chunkers,
      },
    },
    results: Object.entries(results).map(([id, spec]) => resultOf(id, spec)),
  };
}

describe('two runs with one chunker', () => {
  it('are compared by chunk, without a notice', () => {
    const compared = compareRuns(storedRun('run_a'), storedRun('run_b'), true);
    expect(compared).toMatchObject({ judgedBy: 'chunk', notices: [], compare: { a: 'run_a', b: 'run_b' } });
  });

  it('may also have documents of other media', () => {
    const other = storedRun('run_b', { chunkers: { markdown: ['md-v1 1'], 'code/rust': ['code-v1 1'] } });
    expect(compareRuns(storedRun('run_a'), other, true).judgedBy).toBe('chunk');
  });
});

describe('two runs with different chunkers', () => {
  const a = storedRun('run_a', { results: { q: { hits: ['a/1'], chunks: ['a/1'] } } });
  const b = storedRun('run_b', {
    chunkers: { markdown: ['md-v2 1'] },
    results: { q: { hits: ['a/x'], chunks: ['a/y'] } },
  });

  it('are compared by document, with a notice', () => {
    const { judgedBy, notices, compare } = compareRuns(a, b, false);
    expect(judgedBy).toBe('document');
    expect(notices).toEqual(['compared by document, because the chunkers differ: markdown (md-v1 1 and md-v2 1)']);
    expect(compare.queries).toEqual([{ id: 'q', outcome: 'draw', rank_a: 1, rank_b: 1 }]);
  });

  it('are rejected in strict mode', () => {
    expect(() => compareRuns(a, b, true)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: expect.objectContaining({ field: 'strict_chunker_version' }) as object,
      }),
    );
  });
});

describe('the notices of a comparison', () => {
  it('list queries that only one run has', () => {
    const b = storedRun('run_b', { results: { q: found, r: found, s: found } });
    expect(compareRuns(storedRun('run_a'), b, false).notices).toEqual([
      'queries of one run only are left out: 0 of run_a, 2 of run_b',
    ]);
  });

  it.each([
    [5, 10, ['the runs looked at different depths: k = 5 and k = 10']],
    [10, 50, []],
    [5, 5, []],
  ])('mention depths of %i and %i where they matter', (k, other, notices) => {
    expect(compareRuns(storedRun('run_a', { k }), storedRun('run_b', { k: other }), false).notices).toEqual(notices);
  });
});

describe('the report of a comparison', () => {
  const a = storedRun('run_a', { results: { up: { ...found, hits: ['b/1', 'a/1'] }, 'gone|<b>': found, same: found } });
  const b = storedRun('run_b', { results: { up: found, 'gone|<b>': { ...found, hits: ['b/1'] }, same: found } });
  const report = renderReport(compareRuns(a, b, false), a, b);

  it('shows both runs, every metric that they have, and the queries that changed', () => {
    expect(report).toMatch(/^# run_a and run_b\n/);
    expect(report).toContain('| corpus | 3 documents, revision 7 | 3 documents, revision 7 |');
    expect(report).toContain('| hit_at_1 | 0.6667 | 0.6667 | 0 | -1 … +1 |');
    expect(report).not.toContain('recall_at_1_doc');
    expect(report).toContain('1 regression, 0 loss, 1 win, 1 draw.');
    expect(report).toContain('| win | up | 2 | 1 | the question up |');
    expect(report).not.toContain('the question same');
  });

  it('escapes the content of a suite in table cells', () => {
    expect(report).toContain(String.raw`| regression | gone\|\<b\> | 1 | – | the question gone\|\<b\> |`);
  });
});

const A = [
  resultOf('same', { hits: ['a/1'], chunks: ['a/1'] }),
  resultOf('better', { hits: ['b/1', 'b/2'], chunks: ['b/2'] }),
  resultOf('worse', { hits: ['c/1'], chunks: ['c/1'] }),
  resultOf('lost', { hits: ['d/1'], chunks: ['d/1'] }),
  resultOf('only-a', { hits: [], chunks: ['e/1'] }),
  resultOf('broken', { hits: ['f/1'], chunks: ['f/1'] }),
];
const B = [
  resultOf('only-b', { hits: ['x/1'], chunks: ['x/1'] }),
  resultOf('worse', { hits: ['c/9', 'c/8', 'c/7', 'c/1'], chunks: ['c/1'] }),
  resultOf('lost', { hits: ['d/9'], chunks: ['d/1'] }),
  resultOf('better', { hits: ['b/2', 'b/1'], chunks: ['b/2'] }),
  resultOf('same', { hits: ['a/1'], chunks: ['a/1'] }),
  resultOf('broken', { unsearched: true, chunks: ['f/1'], error: 'broken' }),
];

describe('two runs', () => {
  it('are compared by query, in the order of the first', () => {
    expect(compareResults(A, B, 'chunk').queries).toEqual([
      { id: 'same', outcome: 'draw', rank_a: 1, rank_b: 1 },
      { id: 'better', outcome: 'win', rank_a: 2, rank_b: 1 },
      { id: 'worse', outcome: 'loss', rank_a: 1, rank_b: 4 },
      { id: 'lost', outcome: 'regression', rank_a: 1, rank_b: null },
      { id: 'broken', outcome: 'regression', rank_a: 1, rank_b: null },
    ]);
  });

  it('are compared by metric over the pairs that have it', () => {
    const { metrics } = compareResults(A, B, 'chunk');
    expect(metrics['hit_at_1']).toMatchObject({ a: 0.75, b: 0.5, delta: -0.25 });
    expect(metrics['mrr']).toMatchObject({ a: 0.875, b: 0.5625, delta: -0.3125 });
    expect(metrics['failed_queries']).toEqual({ a: 0, b: 1, delta: 1, ci95: null });
    expect(metrics['recall_at_1_doc']).toEqual({ a: null, b: null, delta: null, ci95: null });
    const [low = 0, high = 0] = metrics['mrr']?.ci95 ?? [];
    expect(low).toBeLessThan(-0.3125);
    expect(high).toBeGreaterThan(-0.3125);
  });

  it('are compared by document when their chunks differ, without the precision of chunks', () => {
    const { metrics, queries } = compareResults(A, B, 'document');
    expect(queries.map(({ outcome }) => outcome)).toEqual(['draw', 'draw', 'draw', 'draw', 'regression']);
    expect(metrics['hit_at_1']).toMatchObject({ a: 1, b: 1, delta: 0, ci95: [0, 0] });
    expect(metrics['precision_at_1_chunk']).toEqual({ a: null, b: null, delta: null, ci95: null });
  });

  it('without a common query have nothing to compare', () => {
    const { metrics, queries } = compareResults(A.slice(0, 1), B.slice(0, 1), 'chunk');
    expect(queries).toEqual([]);
    expect(metrics['mrr']).toEqual({ a: null, b: null, delta: null, ci95: null });
  });
});

it.each([
  [1, 1, 'draw'],
  [null, null, 'draw'],
  [3, 1, 'win'],
  [null, 9, 'win'],
  [1, 2, 'loss'],
  [1, null, 'regression'],
  [10, null, 'regression'],
] as const)('from rank %s to rank %s is a %s', (a, b, outcome) => {
  expect(outcomeOf(a, b)).toBe(outcome);
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the bootstrap interval', () => {
  it.each([[[]], [[0.5]]])('is null for %j: too few pairs for a variance', (deltas) => {
    expect(bootstrapInterval(deltas)).toBeNull();
  });

  it('is a point when every pair has the same difference', () => {
    expect(bootstrapInterval([0.25, 0.25, 0.25])).toEqual([0.25, 0.25]);
  });

  it('is deterministic', () => {
    const deltas = [0, 1, -1, 0.5, 0.25];
    expect(bootstrapInterval(deltas)).toEqual(bootstrapInterval(deltas));
  });

  it('is about as wide as that of a normal distribution for many pairs', () => {
    const deltas = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? 1 : -1));
    const [low, high] = bootstrapInterval(deltas) ?? [0, 0];
    const half = 1.96 / Math.sqrt(deltas.length);
    expect(low).toBeGreaterThan(-half * 1.15);
    expect(low).toBeLessThan(-half * 0.85);
    expect(high).toBeGreaterThan(half * 0.85);
    expect(high).toBeLessThan(half * 1.15);
  });

  it('contains the mean and lies within the range of the differences', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 8, maxLength: 20 }), (deltas) => {
        const [low, high] = bootstrapInterval(deltas) ?? [NaN, NaN];
        expect(low).toBeGreaterThanOrEqual(Math.min(...deltas));
        expect(high).toBeLessThanOrEqual(Math.max(...deltas));
        expect(low).toBeLessThanOrEqual(mean(deltas) + 1e-9);
        expect(high).toBeGreaterThanOrEqual(mean(deltas) - 1e-9);
      }),
      { numRuns: 30 },
    );
  });
});
