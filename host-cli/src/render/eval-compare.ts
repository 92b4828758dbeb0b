import type { EvalCompare } from '@kebab/core/app';
import { metricText, signedMetric } from './metric-text.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { padWidth } from './text-width.ts';

type Compared = EvalCompare['metrics'][string];
type ComparedQuery = EvalCompare['queries'][number];

const NAME_COLUMNS = 22;
const VALUE_COLUMNS = 9;
/** The worst first. */
const OUTCOMES = ['regression', 'loss', 'win', 'draw'] as const;

/** Two runs side by side: metrics, how many queries changed, and which. Metrics that neither run has are left out. */
export function renderEvalCompare({ a, b, metrics, queries }: EvalCompare, { colors }: Screen): string {
  const compared = Object.entries(metrics).filter(([, { delta }]) => delta !== null);
  const counts = OUTCOMES.map((outcome) => `${queries.filter((query) => query.outcome === outcome).length} ${outcome}`);
  const changed = OUTCOMES.filter((outcome) => outcome !== 'draw').flatMap((outcome) =>
    queries.filter((query) => query.outcome === outcome),
  );
  return [
    `A  ${printable(a)}`,
    `B  ${printable(b)}`,
    '',
    row('', ['A', 'B', 'B - A'], '95 % interval'),
    ...compared.map(([name, values]) => metricRow(name, values)),
    '',
    counts.join(', '),
    ...(changed.length === 0 ? [] : ['', ...changed.map((query) => paint(query, queryRow(query)))]),
  ]
    .map((line) => `${line.trimEnd()}\n`)
    .join('');

  function paint({ outcome }: ComparedQuery, line: string): string {
    return outcome === 'win' ? colors.green(line) : colors.red(line);
  }
}

function metricRow(name: string, { a, b, delta, ci95 }: Compared): string {
  const interval = ci95 === null ? '' : `${signedMetric(name, ci95[0])} … ${signedMetric(name, ci95[1])}`;
  const values = [metricText(name, a), metricText(name, b), delta === null ? '–' : signedMetric(name, delta)];
  return row(name, values, interval);
}

function row(name: string, values: readonly string[], last: string): string {
  return `${padWidth(name, NAME_COLUMNS)}${values.map((value) => value.padStart(VALUE_COLUMNS)).join('')}   ${last}`;
}

function queryRow({ id, outcome, rank_a: a, rank_b: b }: ComparedQuery): string {
  return `${outcome.padEnd(10)}  ${String(a ?? '–').padStart(3)} → ${String(b ?? '–').padEnd(3)}  ${printable(id)}`;
}
