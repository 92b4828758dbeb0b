import { parseSearchRequest, type App, type SearchResponse } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { SEARCH_FLAGS } from '../cli/search-flags.ts';
import { requestOf } from '../cli/search-request.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** `kebab search`: finds passages. */
export async function run(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  if (values.has('bulk')) return (await import('./search-bulk.ts')).run(context);
  const { query, options } = parseSearchRequest({ query: values.arg('QUERY'), ...requestOf(values, SEARCH_FLAGS) });
  const app = await context.openApp();
  const response = await app.search(query, { ...options, cache: !values.has('no-cache'), signal: context.signal });
  if (context.json) context.printJson(response);
  else await show(response, context, app);
  return response.hits.length > 0 ? EXIT.ok : EXIT.nothing;
}

async function show(response: SearchResponse, context: CommandContext, app: App): Promise<void> {
  const { showSearch } = await import('./show-search.ts');
  await showSearch(response, context, app);
  if (response.hits.length === 0 && !context.quiet && (await app.listDocs({}, { limit: 1 })).total === 0)
    context.tell('notice: the knowledge base is empty — run kebab ingest');
}
