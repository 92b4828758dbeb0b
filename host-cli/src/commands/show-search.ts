import type { App, SearchResponse } from '@kebab/core/app';
import type { CommandContext } from '../cli/command-context.ts';
import { degradedNotice } from '../render/degraded-notice.ts';
import { renderSearch } from '../render/search.ts';

/** Shows one page of hits to people: hits on stdout, what they should know beside on stderr. */
export async function showSearch(response: SearchResponse, context: CommandContext, app?: App): Promise<void> {
  const { values } = context;
  const options = {
    explain: values.has('explain'),
    wholeSnippets: values.has('snippet-chars'),
    embeddingModel: app === undefined ? null : await modelOf(response, app),
  };
  context.print(renderSearch(response, options, await context.screen()));
  for (const stage of response.degraded) context.tell(degradedNotice(stage, response.mode));
  if (response.truncated) context.tell(truncationNote(response));
}

/** The embedding model that took part; hits tell it themselves. */
async function modelOf({ hits, mode }: SearchResponse, app: App): Promise<string | null> {
  if (hits.length > 0 || mode === 'lexical') return null;
  const { entries } = await app.configView();
  const model = entries.find(({ key }) => key === 'models.embedding.model')?.value;
  return typeof model === 'string' ? model : null;
}

function truncationNote({ next_cursor }: SearchResponse): string {
  if (next_cursor === null) return '[truncated; widen --max-tokens for fuller text]';
  return `[truncated; use --cursor ${next_cursor} for the next page]`;
}
