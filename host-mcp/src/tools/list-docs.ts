import { LIST_DOCS, parseFilters } from '@kebab/core/app';
import type { KebabTool } from './kebab-tool.ts';

/** `list_docs`: the documents, in pages. */
export const listDocs: KebabTool<typeof LIST_DOCS> = {
  name: 'list_docs',
  title: 'List documents',
  description:
    'Lists the documents of the knowledge base by source and path, with titles, tags and dates. Use it to see what there is or to find a document by name; use search to find passages.',
  input: LIST_DOCS,
  output: 'doc_list',
  writes: false,
  run({ cursor, limit, ...filters }, { app, settings, signal }) {
    return app.listDocs(parseFilters(filters), { cursor, limit, maxTokens: settings.defaultMaxTokens }, { signal });
  },
};
