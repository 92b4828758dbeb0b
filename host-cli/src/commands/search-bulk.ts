import { invalidInput, type BulkSearchInput, type BulkSearchItem } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { SEARCH_FLAGS } from '../cli/search-flags.ts';
import { requestOf } from '../cli/search-request.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readLines } from '../io/text-input.ts';

/** A line of standard input: what is asked, and the object it was, which the answer repeats. */
interface Line {
  readonly query: BulkSearchInput | string;
  readonly echo: Readonly<Record<string, unknown>> | null;
}

/** `kebab search --bulk`: answers a query a line of standard input; flags hold for the lines that do not say otherwise. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values, io, signal } = context;
  if (values.arg('QUERY') !== '')
    throw invalidInput('--bulk reads its queries from standard input: leave QUERY out', { field: 'QUERY' });
  const defaults = requestOf(values, SEARCH_FLAGS);
  const lines: Line[] = [];
  for await (const line of readLines(io.stdin, signal)) lines.push(readLine(line, defaults));
  const app = await context.openApp();
  const show = context.json ? undefined : (await import('./show-bulk-item.ts')).showBulkItem;
  const tally = { succeeded: 0, failed: 0, hits: 0 };
  const answers = app.bulkSearch(
    lines.map(({ query }) => query),
    { cache: !values.has('no-cache'), signal },
  );
  for await (const answer of answers) {
    const echo = lines[tally.succeeded + tally.failed]?.echo ?? null;
    const item: BulkSearchItem = { ...answer, query: echo };
    if (show === undefined) context.printJson(item);
    else await show(item, context, app);
    tally[item.error === null ? 'succeeded' : 'failed']++;
    tally.hits += item.response?.hits.length ?? 0;
    if (io.stdout.closed) break;
  }
  const total = tally.succeeded + tally.failed;
  context.tell(`bulk_summary: total=${total} succeeded=${tally.succeeded} failed=${tally.failed}`);
  if (tally.failed > 0) return EXIT.error;
  return tally.hits > 0 ? EXIT.ok : EXIT.nothing;
}

/** A line is a JSON object, or a query as a JSON string; what is neither goes on as it is, to fail as an item of its own. */
function readLine(line: string, defaults: Readonly<Record<string, unknown>>): Line {
  const value = parseJson(line);
  if (typeof value === 'string') return { query: { ...defaults, query: value }, echo: { query: value } };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { query: line, echo: null };
  const echo = value as Readonly<Record<string, unknown>>;
  return { query: { ...defaults, ...echo } as BulkSearchInput, echo }; // the App checks it, as every line
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
