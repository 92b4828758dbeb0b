import type { EvalCompare } from '../../wire/index.ts';
import { RESAMPLES, SEED, type ComparedRuns, type Outcome, type StoredRun } from './compare-runs.ts';

const OUTCOMES: readonly Outcome[] = ['regression', 'loss', 'win', 'draw'];

/** The comparison of two runs as a Markdown page: what they were made with, metrics, and the queries that changed. */
export function renderReport({ compare, judgedBy, notices }: ComparedRuns, a: StoredRun, b: StoredRun): string {
  return [
    `# ${a.row.runId} and ${b.row.runId}`,
    table(
      ['', 'A', 'B'],
      factsOf(a).map(([label, value], at) => [label, value, factsOf(b)[at]?.[1] ?? '']),
    ),
    ...notices.map((notice) => `> ${inline(notice)}`),
    '## Metrics',
    `Judged by ${judgedBy}, over the queries that both runs have. The interval is that of B − A: paired bootstrap, 95 %, ` +
      `${RESAMPLES} resamples, seed ${SEED}.`,
    table(['metric', 'A', 'B', 'B − A', '95 % interval'], Object.entries(compare.metrics).flatMap(metricRow)),
    '## Queries',
    `${OUTCOMES.map((outcome) => `${countOf(compare, outcome)} ${outcome}`).join(', ')}.`,
    ...changedQueries(compare, a),
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

function factsOf({ row, snapshot, results }: StoredRun): readonly (readonly [label: string, value: string])[] {
  const { versions } = snapshot;
  return [
    ['run', row.runId],
    ['at', row.createdAt.toISOString()],
    ['suite', row.suite],
    ['commit', row.commitHash ?? '–'],
    ['queries', `${results.length}, ${results.filter(({ error }) => error !== null).length} failed`],
    ['mode, k', `${snapshot.mode}, ${snapshot.k}${snapshot.with_rag ? ', with answers' : ''}`],
    ['corpus', `${snapshot.documents} documents, revision ${snapshot.corpus_revision}`],
    ['kebab, index', `${versions.kebab}, ${versions.index_version}`],
    ['embedder', versions.embedding ?? '–'],
    ['reranker', versions.reranker ?? '–'],
    [
      'chunkers',
      Object.entries(versions.chunkers)
        .map(([media, labels]) => `${media}: ${labels.join(', ')}`)
        .join('; '),
    ],
    ['model, template', snapshot.with_rag ? `${versions.llm}, ${versions.prompt_template_version}` : '–'],
  ];
}

function metricRow([name, { a, b, delta, ci95 }]: [string, EvalCompare['metrics'][string]]): readonly string[][] {
  if (a === null || b === null || delta === null) return [];
  return [[name, text(a), text(b), signed(delta), ci95 === null ? '–' : `${signed(ci95[0])} … ${signed(ci95[1])}`]];
}

function changedQueries(compare: EvalCompare, a: StoredRun): readonly string[] {
  const texts = new Map(a.results.map(({ query_id: id, query }) => [id, query]));
  const rows = OUTCOMES.filter((outcome) => outcome !== 'draw').flatMap((outcome) =>
    compare.queries
      .filter((query) => query.outcome === outcome)
      .map(({ id, rank_a, rank_b }) => [outcome, id, rankText(rank_a), rankText(rank_b), texts.get(id) ?? '']),
  );
  return rows.length === 0 ? [] : [table(['outcome', 'query', 'rank in A', 'rank in B', 'text'], rows)];
}

function countOf({ queries }: EvalCompare, outcome: Outcome): number {
  return queries.filter((query) => query.outcome === outcome).length;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [tableRow(head), tableRow(head.map(() => '---')), ...rows.map(tableRow)].join('\n');
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.map(inline).join(' | ')} |`;
}

/** A text as one cell: what comes from a suite or a path must not break out of it. */
function inline(value: string): string {
  return value.replaceAll(/\s+/g, ' ').replaceAll(/[\\|<>`]/g, String.raw`\$&`);
}

function text(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

function signed(value: number): string {
  return value > 0 ? `+${text(value)}` : text(value);
}

function rankText(rank: number | null): string {
  return rank === null ? '–' : String(rank);
}
