import {
  BULK_SEARCH,
  invalidInput,
  parseSearchRequest,
  SEARCH,
  type App,
  type BulkSearchInput,
  type BulkSearchItem,
  type SearchResponse,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { checkSavedName, noteUnsavedName, rememberSearch, savedRequest } from '../command/search-history.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

const MAX_HITS = 100;

/** `kebab search`: finds passages. Code for terminal output is loaded only when needed: a search with `--json` does without it. */
export async function search(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const lines = ['files', 'vimgrep', 'format', 'export'].some((name) => values.has(name))
    ? await import('./search-lines.ts')
    : null;
  lines?.checkForms(values);
  const picker = values.has('pick') ? await import('./pick.ts') : null;
  picker?.requirePicker(context);
  if (values.has('bulk')) return searchBulk(context);
  if (values.has('commits')) return (await import('./search-commits.ts')).searchCommits(context);
  checkSavedName(context);
  const request = savedRequest(context, { query: values.arg('QUERY'), ...(await context.request(SEARCH)) });
  const { query, options } = parseSearchRequest(request);
  const app = await context.openApp();
  const manyForFiles = values.has('files') ? { k: MAX_HITS } : {}; // several passages are of one document
  const response = await app.search({ ...query, ...manyForFiles }, { ...options, ...howToSearch(context) });
  if (context.json) context.printJson(response);
  else if (picker !== null && response.hits.length > 0)
    await picker.pickHit(response, context, { app, query: query.text });
  else if (lines !== null) await lines.printLines(response, context, { app, query: query.text });
  else await show(response, context, { app, query: query.text });
  noteUnsavedName(context, request.query, response);
  rememberSearch(context, request, response);
  return answers(response) ? EXIT.ok : EXIT.nothing;
}

/** Whether a search has hits that are more than the nearest of what there is. */
function answers({ hits, nearest_only: isNearestOnly }: SearchResponse): boolean {
  return hits.length > 0 && isNearestOnly !== true;
}

function howToSearch({ values, signal }: CommandContext) {
  return { cache: !values.has('no-cache'), refresh: !values.has('no-refresh'), signal };
}

async function show(
  response: SearchResponse,
  context: CommandContext,
  { app, query }: { readonly app: App; readonly query: string },
): Promise<void> {
  const { showSearch } = await import('./search-screen.ts');
  await showSearch(response, context, { app, query, isAlone: true });
  if (response.hits.length === 0 && !context.quiet && (await app.listDocs({}, { limit: 1 })).total === 0)
    context.note('notice: the knowledge base is empty — run kebab ingest');
}

/** The maximum number of characters quoted of a line that is not a query. */
const MAX_LINE = 100;

/** Answers one query per line of standard input; flags are defaults for the lines. */
async function searchBulk(context: CommandContext): Promise<ExitCode> {
  const { values, io, signal } = context;
  if (values.arg('QUERY') !== '')
    throw invalidInput('--bulk reads its queries from standard input: leave QUERY out', { field: 'QUERY' });
  const { readLines } = await import('../io/text-input.ts');
  const defaults = await context.request(SEARCH);
  const lines: BulkLine[] = [];
  for await (const line of readLines(io.stdin, signal)) {
    lines.push(readLine(line, defaults));
    if (lines.length > BULK_SEARCH.queries.max) break; // the search rejects this many; the rest need not be read
  }
  const app = await context.openApp();
  const screens = context.json ? undefined : await import('./search-screen.ts');
  const tally = { succeeded: 0, failed: 0, hits: 0 };
  const answered = app.bulkSearch(
    lines.map(({ query }) => query),
    howToSearch(context),
  );
  for await (const answer of answered) {
    const { echo, line } = lines[tally.succeeded + tally.failed] ?? { echo: null, line: '' };
    const item: BulkSearchItem = { ...answer, query: echo };
    if (screens === undefined) context.printJson(item);
    else
      await screens.showBulkItem(item, context, {
        app,
        line: line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line,
      });
    tally[item.error === null ? 'succeeded' : 'failed']++;
    if (item.response !== null && answers(item.response)) tally.hits += item.response.hits.length;
    if (io.stdout.closed) break;
  }
  const total = tally.succeeded + tally.failed;
  context.note(`bulk_summary: total=${total} succeeded=${tally.succeeded} failed=${tally.failed}`);
  if (tally.failed > 0) return EXIT.error;
  return tally.hits > 0 ? EXIT.ok : EXIT.nothing;
}

/** A line of standard input: the query, and the original object, which the answer echoes. */
interface BulkLine {
  readonly query: BulkSearchInput | string;
  /** The line as read. */
  readonly line: string;
  readonly echo: Readonly<Record<string, unknown>> | null;
}

/** A line is a JSON object or a query as a JSON string; anything else is passed on unchanged and fails as a separate item. */
function readLine(line: string, defaults: Readonly<Record<string, unknown>>): BulkLine {
  const value = parseJson(line);
  if (typeof value === 'string') return { query: { ...defaults, query: value }, line, echo: { query: value } };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { query: line, line, echo: null };
  const echo = value as Readonly<Record<string, unknown>>;
  // The App validates it, like every line.
  return { query: { ...defaults, ...echo } as BulkSearchInput, line, echo: isWritable(echo) ? echo : null };
}

/** Whether a value can be serialised as JSON: parsed input may be nested deeper than `JSON.stringify` supports. */
function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
