import type { App, SearchResponse } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { degradedNotice } from '../render/degraded-notice.ts';
import { renderSearch, type IndexFacts } from '../render/search.ts';

/** Shows one page of hits to people: hits on stdout, what they should know beside on stderr. */
export async function showSearch(response: SearchResponse, context: CommandContext, index?: IndexFacts): Promise<void> {
  const { values } = context;
  const options = {
    explain: values.has('explain'),
    wholeSnippets: values.has('snippet-chars'),
    ...(index === undefined ? {} : { index }),
  };
  context.print(renderSearch(response, options, await context.screen()));
  for (const stage of response.degraded) context.tell(degradedNotice(stage));
  if (response.truncated) context.tell(truncationNote(response));
}

/** What the hits of a response tell of the index, for a response without hits; undefined for one with hits. */
export async function indexFacts({ hits, mode }: SearchResponse, app: App): Promise<IndexFacts | undefined> {
  if (hits.length > 0) return undefined;
  const { models } = await app.schema();
  if (mode === 'lexical') return { version: models.index_version, embeddingModel: null };
  const { entries } = await app.configView();
  const model = entries.find(({ key }) => key === 'models.embedding.model')?.value;
  return { version: models.index_version, embeddingModel: typeof model === 'string' ? model : null };
}

function truncationNote({ next_cursor }: SearchResponse): string {
  if (next_cursor === null) return '[truncated; widen --max-tokens for fuller text]';
  return `[truncated; use --cursor ${next_cursor} for the next page]`;
}
