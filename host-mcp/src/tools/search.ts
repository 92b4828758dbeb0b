import { parseSearchRequest, SEARCH } from '@kebab/core/app';
import type { KebabTool } from './kebab-tool.ts';

/** `search`: finds passages. */
export const search: KebabTool<typeof SEARCH> = {
  name: 'search',
  title: 'Search the knowledge base',
  description:
    'Finds passages in the user’s notes, papers and source code. Each hit has a snippet, ids, and a citation whose uri names file and lines. Search before answering from memory; fetch what you are going to quote.',
  input: SEARCH,
  output: 'search_response',
  writes: false,
  run(args, { app, settings, signal }) {
    const { query, options } = parseSearchRequest({ max_tokens: settings.defaultMaxTokens, ...args });
    return app.search(query, { ...options, signal });
  },
};
