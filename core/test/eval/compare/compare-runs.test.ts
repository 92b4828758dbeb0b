import { describe, expect, it } from 'vitest';
import { compareRuns } from '../../../src/eval/compare/compare-runs.ts';
import type { StoredRun } from '../../../src/eval/compare/load-run.ts';
import { renderReport } from '../../../src/eval/compare/render-report.ts';
import type { RunVersions } from '../../../src/eval/run/run-snapshot.ts';
import { resultOf, type ResultSpec } from '../query-results.ts';

/** What a stored run is to be like. */
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
      ...{ mode: 'hybrid', k, with_rag: false, temperature: 0, seed: 0, corpus_revision: 7, documents: 3, config: {} },
      versions: {
        ...{ kebab: '0.1.0', index_version: 'v1', embedding: null, prompt_template_version: 'rag-v2' },
        ...{ llm: 'm', reranker: null, parsers: {}, chunkers },
      },
    },
    results: Object.entries(results).map(([id, spec]) => resultOf(id, spec)),
  };
}

describe('two runs of one chunker', () => {
  it('are compared chunk by chunk, without more ado', () => {
    const compared = compareRuns(storedRun('run_a'), storedRun('run_b'), true);
    expect(compared).toMatchObject({ judgedBy: 'chunk', notices: [], compare: { a: 'run_a', b: 'run_b' } });
  });

  it('may have documents of other media besides', () => {
    const other = storedRun('run_b', { chunkers: { markdown: ['md-v1 1'], 'code/rust': ['code-v1 1'] } });
    expect(compareRuns(storedRun('run_a'), other, true).judgedBy).toBe('chunk');
  });
});

describe('two runs of different chunkers', () => {
  const a = storedRun('run_a', { results: { q: { hits: ['a/1'], chunks: ['a/1'] } } });
  const b = storedRun('run_b', {
    chunkers: { markdown: ['md-v2 1'] },
    results: { q: { hits: ['a/x'], chunks: ['a/y'] } },
  });

  it('are compared by document, and it is said why', () => {
    const { judgedBy, notices, compare } = compareRuns(a, b, false);
    expect(judgedBy).toBe('document');
    expect(notices).toEqual(['compared by document, because the chunkers differ: markdown (md-v1 1 and md-v2 1)']);
    expect(compare.queries).toEqual([{ id: 'q', outcome: 'draw', rank_a: 1, rank_b: 1 }]);
  });

  it('are refused when it is asked to be strict', () => {
    expect(() => compareRuns(a, b, true)).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: expect.objectContaining({ field: 'strict_chunker_version' }) as object,
      }),
    );
  });
});

describe('what is said of a comparison', () => {
  it('are queries that only one run has', () => {
    const b = storedRun('run_b', { results: { q: found, r: found, s: found } });
    expect(compareRuns(storedRun('run_a'), b, false).notices).toEqual([
      'queries of one run only are left out: 0 of run_a, 2 of run_b',
    ]);
  });

  it.each([
    [5, 10, ['the runs looked at different depths: k = 5 and k = 10']],
    [10, 50, []],
    [5, 5, []],
  ])('are depths of %i and %i where they matter', (k, other, notices) => {
    expect(compareRuns(storedRun('run_a', { k }), storedRun('run_b', { k: other }), false).notices).toEqual(notices);
  });
});

describe('the report of a comparison', () => {
  const a = storedRun('run_a', { results: { up: { ...found, hits: ['b/1', 'a/1'] }, 'gone|<b>': found, same: found } });
  const b = storedRun('run_b', { results: { up: found, 'gone|<b>': { ...found, hits: ['b/1'] }, same: found } });
  const report = renderReport(compareRuns(a, b, false), a, b);

  it('tells both runs, every metric that they have, and the queries that changed', () => {
    expect(report).toMatch(/^# run_a and run_b\n/);
    expect(report).toContain('| corpus | 3 documents, revision 7 | 3 documents, revision 7 |');
    expect(report).toContain('| hit_at_1 | 0.6667 | 0.6667 | 0 | -1 … +1 |');
    expect(report).not.toContain('recall_at_1_doc');
    expect(report).toContain('1 regression, 0 loss, 1 win, 1 draw.');
    expect(report).toContain('| win | up | 2 | 1 | the question up |');
    expect(report).not.toContain('the question same');
  });

  it('lets nothing of a suite break out of its cell', () => {
    expect(report).toContain(String.raw`| regression | gone\|\<b\> | 1 | – | the question gone\|\<b\> |`);
  });
});
