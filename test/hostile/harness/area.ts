import type { BuiltCli } from '../../../host-cli/test/fakes/built-cli.ts';
import { watched } from './watched-process.ts';

/** The outcome of one hostile input or fault: no problem when it was handled. */
export interface Outcome {
  readonly name: string;
  readonly problem: string | null;
}

/** The means to replay an area. */
export interface Bench {
  readonly cli: BuiltCli;
  /** The inputs of this run: all of them, or the same few each time. */
  readonly pick: <T>(inputs: readonly T[]) => readonly T[];
}

/** Hostile inputs of one entry point, or faults of one kind. */
export interface Area {
  readonly name: string;
  /** True for an area that takes a minute or more: a full replay starts with it. */
  readonly isLong?: boolean;
  replay(bench: Bench): AsyncIterable<Outcome>;
}

/** The same command line with a filled compile cache, which all homes of a build share. */
export async function warmed(cli: BuiltCli): Promise<BuiltCli> {
  const home = cli.newHome();
  home.write('a.md', '# A\n');
  const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_MODELS_LLM_ENDPOINT: 'http://127.0.0.1:9' };
  for (const line of [['ingest', '--quiet'], ['search', 'a'], ['mcp']]) await watched(cli.start(line, { home, env }));
  return cli;
}

/** A deterministic sample of `count` items, spread evenly over a list. */
export function sampleOf<T>(list: readonly T[], count: number): readonly T[] {
  const step = list.length / Math.min(count, list.length);
  return list.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
}

/** The counts of one area, with its failures. */
export interface Tally {
  readonly area: string;
  readonly tried: number;
  readonly failed: readonly Outcome[];
  readonly seconds: number;
}

/** Replays an area to its end. An error thrown by the area itself counts as a failure. */
export async function replayArea(area: Area, bench: Bench, onOutcome?: (outcome: Outcome) => void): Promise<Tally> {
  const started = performance.now();
  const outcomes: Outcome[] = [];
  const note = (outcome: Outcome): void => {
    outcomes.push(outcome);
    onOutcome?.(outcome);
  };
  try {
    for await (const outcome of area.replay(bench)) note(outcome);
  } catch (error) {
    note({
      name: 'the replay itself',
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }
  return {
    area: area.name,
    tried: outcomes.length,
    failed: outcomes.filter(({ problem }) => problem !== null),
    seconds: (performance.now() - started) / 1000,
  };
}

/** A table of the inputs tried, handled and failed, one area per line, with totals. */
export function tallyTable(tallies: readonly Tally[]): string {
  const rows = tallies.map(({ area, tried, failed, seconds }) => [area, tried, failed.length, seconds] as const);
  const sum = (at: 1 | 2): number => rows.reduce((total, row) => total + row[at], 0);
  const width = Math.max(...rows.map(([name]) => name.length), 'area'.length);
  const line = (name: string, tried: number, failed: number, last: string): string =>
    `${name.padEnd(width)} ${String(tried).padStart(6)} ${String(tried - failed).padStart(8)} ${String(failed).padStart(7)} ${last}`;
  return [
    `${'area'.padEnd(width)}  tried  handled  failed`,
    ...rows.map(([name, tried, failed, seconds]) =>
      line(name, tried, failed, Number.isNaN(seconds) ? 'has not ended' : `${seconds.toFixed(0).padStart(5)} s`),
    ),
    line('sum', sum(1), sum(2), ''),
  ].join('\n');
}
