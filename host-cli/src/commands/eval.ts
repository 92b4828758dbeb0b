import {
  printable,
  type EvalAggregate,
  type EvalCompare,
  type EvalProgress,
  type EvalRequest,
  type EvalRun,
  type Metrics,
  type Mode,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { reporting } from '../command/reporting.ts';
import { DEFAULT_SUITE } from '../command/command-values.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { drawnProgress } from '../progress/drawn-line.ts';
import { homePath, counted } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { fitEnd, padWidth } from '../screen/text-width.ts';

/** `kebab eval run`: runs a golden suite. The exit code is an error if every query failed. */
export async function evalRun(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const progress = showProgress(context);
  const notices: string[] = [];
  const report = await app
    .evalRun(requestOf(context), {
      signal: context.signal,
      onProgress: progress.onEvent,
      onNotice: (line) => notices.push(line),
    })
    .finally(() => progress.end());
  context.show(report, renderRun);
  for (const notice of notices) context.note(notice);
  return report.failed > 0 && report.failed === report.queries ? EXIT.error : EXIT.ok;
}

/** `kebab eval aggregate`: recomputes the metrics of a run from its results. */
export const evalAggregate = reporting(
  (app, { values, signal }) => app.evalAggregate(values.arg('RUN'), { signal }),
  renderAggregate,
);

/** `kebab eval compare`: two runs side by side. */
export async function evalCompare(context: CommandContext): Promise<void> {
  const { values } = context;
  const app = await context.openApp();
  const notices: string[] = [];
  const compare = await app.evalCompare(values.arg('A'), values.arg('B'), {
    signal: context.signal,
    strictChunkerVersion: values.has('strict-chunker-version'),
    writeReport: values.has('write-report'),
    onNotice: (line) => notices.push(line),
  });
  context.show(compare, renderCompare);
  for (const notice of notices) context.note(notice);
}

function requestOf(context: CommandContext): EvalRequest {
  const { values } = context;
  return {
    suite: context.absolute(suiteOf(context)),
    withRag: values.has('with-rag'),
    mode: values.text('mode') as Mode | undefined,
    k: values.number('k'),
    temperature: values.number('temperature'),
    seed: values.number('seed'),
  };
}

function suiteOf(context: CommandContext): string {
  const named = context.values.text('suite') ?? context.variable('KEBAB_EVAL_GOLDEN') ?? '';
  return named === '' ? DEFAULT_SUITE : named;
}

const PROGRESS_STEPS = 10;

interface ShownProgress {
  readonly onEvent: (progress: EvalProgress) => void;
  readonly end: () => void;
}

/** Shows how many queries are done: as one redrawn line on a terminal, or as a line per tenth. */
function showProgress(context: CommandContext): ShownProgress {
  if (context.variable('KEBAB_PROGRESS') === 'plain') return plainLines((line) => context.note(line, true));
  const line = drawnProgress(context);
  return {
    onEvent: ({ done, total, queryId }) =>
      line.draw((columns) => fitEnd(`${done}/${total} queries  ${queryId}`, columns)),
    end: () => line.erase(),
  };
}

function plainLines(write: (line: string) => void): ShownProgress {
  let lastStep = 0;
  return {
    onEvent: ({ done, total }) => {
      const step = Math.floor((done * PROGRESS_STEPS) / total);
      if (step > lastStep) write(`${done}/${total} queries (${Math.floor((done * 100) / total)} %)`);
      lastStep = step;
    },
    end: () => undefined,
  };
}

const NAME_COLUMNS = 22;
const VALUE_COLUMNS = 9;
/** The one metric that is a count. */
const COUNT = 'failed_queries';

/** Formats a metric: four decimals, a count as an integer, `–` if there is none. */
function metricText(name: string, value: number | null): string {
  if (value === null) return '–';
  return name === COUNT ? String(value) : value.toFixed(4);
}

/** The same with its sign. */
function signedMetric(name: string, value: number): string {
  return value > 0 ? `+${metricText(name, value)}` : metricText(name, value);
}

/** A run of a golden suite with its metrics. */
function renderRun({ run_id, suite, queries, failed, aggregate }: EvalRun, screen: Screen): string {
  const failures = failed === 0 ? '' : `, ${screen.colors.red(`${failed} failed`)}`;
  const head = `${printable(run_id)}  ${counted(queries, 'query', 'queries')}${failures}\n${homePath(suite, screen.homeDir)}\n`;
  return `${head}\n${metricsTable(aggregate)}`;
}

/** The metrics of a run. */
function renderAggregate({ run_id, metrics }: EvalAggregate): string {
  return `${printable(run_id)}\n\n${metricsTable(metrics)}`;
}

/** Metrics that depend on k, with a column for each k, then the others. Metrics that no query qualifies for are omitted. */
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

type Compared = EvalCompare['metrics'][string];
type ComparedQuery = EvalCompare['queries'][number];

/** The worst first. */
const OUTCOMES = ['regression', 'loss', 'win', 'draw'] as const;

/** Two runs side by side: metrics, how many queries changed, and which. Metrics that neither run has are omitted. */
function renderCompare({ a, b, metrics, queries }: EvalCompare, { colors }: Screen): string {
  const compared = Object.entries(metrics).filter(([, { delta }]) => delta !== null);
  const counts = OUTCOMES.map((outcome) => {
    const count = queries.filter((query) => query.outcome === outcome).length;
    return counted(count, outcome, outcome === 'loss' ? 'losses' : `${outcome}s`);
  });
  const changed = OUTCOMES.filter((outcome) => outcome !== 'draw').flatMap((outcome) =>
    queries.filter((query) => query.outcome === outcome),
  );
  return [
    `A  ${printable(a)}`,
    `B  ${printable(b)}`,
    '',
    comparedRow('', ['A', 'B', 'B - A'], '95 % interval'),
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
  return comparedRow(name, values, interval);
}

function comparedRow(name: string, values: readonly string[], last: string): string {
  return `${padWidth(name, NAME_COLUMNS)}${values.map((value) => value.padStart(VALUE_COLUMNS)).join('')}   ${last}`;
}

function queryRow({ id, outcome, rank_a: a, rank_b: b }: ComparedQuery): string {
  return `${outcome.padEnd(10)}  ${String(a ?? '–').padStart(3)} → ${String(b ?? '–').padEnd(3)}  ${printable(id)}`;
}
