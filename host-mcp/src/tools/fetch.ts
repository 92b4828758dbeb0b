import { FETCH, parseFetchRequest } from '@kebab/core/app';
import type { KebabTool } from './kebab-tool.ts';

/** `fetch`: exact text. */
export const fetch: KebabTool<typeof FETCH> = {
  name: 'fetch',
  title: 'Read exact text',
  description:
    'Reads text exactly as it was indexed: a chunk of a hit with its neighbours, whole lines of a document, what a citation uri designates, or a document from its beginning. Use it before quoting; snippets are shortened.',
  input: FETCH,
  output: 'fetch_result',
  writes: false,
  run(args, { app, settings, signal }) {
    const { query, options } = parseFetchRequest(args);
    const maxTokens = query.kind === 'chunk' ? undefined : (options.maxTokens ?? settings.defaultMaxTokens);
    return app.fetch(query, { ...options, maxTokens, signal });
  },
};
