import type { EvalAggregate, EvalRun, Metrics } from '@kebab/core/app';
import { counted } from './counted.ts';
import { homePath } from './home-path.ts';
import { metricText } from './metric-text.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { padWidth } from './text-width.ts';

const NAME_COLUMNS = 22;
const VALUE_COLUMNS = 9;

/** A run of a golden suite with its metrics. */
export function renderEvalRun({ run_id, suite, queries, failed, aggregate }: EvalRun, screen: Screen): string {
  const failures = failed === 0 ? '' : `, ${screen.colors.red(`${failed} failed`)}`;
  const head = `${printable(run_id)}  ${counted(queries, 'query', 'queries')}${failures}\n${homePath(suite, screen.homeDir)}\n`;
  return `${head}\n${metricsTable(aggregate)}`;
}

/** The metrics of a run. */
export function renderEvalAggregate({ run_id, metrics }: EvalAggregate): string {
  return `${printable(run_id)}\n\n${metricsTable(metrics)}`;
}

/** Metrics that depend on k, a column for each k, then the others. Those that no query qualifies for are left out. */
function metricsTable(metrics: Metrics): string {
  const byK: (readonly [name: string, values: Readonly<Record<string, number | null>>])[] = [];
  const plain: (readonly [name: string, value: number])[] = [];
  for (const [name, value] of Object.entries(metrics)) {
    if (typeof value === 'number') plain.push([name, value]);
    else if (value !== null && Object.values(value).some((each) => each !== null)) byK.push([name, value]);
  }
  const depths = [...new Set(byK.flatMap(([, values]) => Object.keys(values)))];
  const rows = [
    ...(byK.length === 0
      ? []
      : [
          row(
            '',
            depths.map((depth) => `k = ${depth}`),
          ),
        ]),
    ...byK.map(([name, values]) =>
      row(
        name,
        depths.map((depth) => metricText(name, values[depth] ?? null)),
      ),
    ),
    ...plain.map(([name, value]) => row(name, [metricText(name, value)])),
  ];
  return rows.map((line) => `${line}\n`).join('');
}

function row(name: string, values: readonly string[]): string {
  return `${padWidth(name, NAME_COLUMNS)}${values.map((value) => value.padStart(VALUE_COLUMNS)).join('')}`;
}
